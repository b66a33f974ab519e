/// A view of a store at one version, confined to the thread, queue or actor it was opened on.
///
/// Values of this type are cheap references: opening the same file in the same place gives the same instance.
public struct Realm {
  // Known here as an object only: errors and options are declared within `Realm`, and belong to layers below what a Realm is made of.
  let state: AnyObject
}

extension Realm: Equatable {
  public static func == (lhs: Realm, rhs: Realm) -> Bool { lhs.state === rhs.state }
}
