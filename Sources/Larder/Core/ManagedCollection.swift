import LarderStorage

/// The demands of objects, and of what makes them, on a collection of any element type.
protocol ManagedCollection: AnyObject {
  /// Moves the contents of an unmanaged collection to a row and becomes its accessor.
  func adopt(
    by owner: ObjectBase, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey, policy: Realm.UpdatePolicy)
  /// Replaces the contents, as the maker's policy says; false when something does not fit. Nil empties it.
  func assign(_ value: Any, _ maker: (any ObjectMaker)?) throws -> Bool
  /// Replaces the contents of an unmanaged collection by those that it would read if the store held the supplied ones.
  func assignAsRead(_ value: Any, _ type: PropertyType) throws -> Bool
  var count: Int { get }
  /// The elements of a list or set; the values of a map.
  func boxedElements() -> [Any]
  func text(depth: Int) -> String
}

extension ManagedCollection {
  func adopt(by owner: ObjectBase, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    adopt(by: owner, cursor, index, key, policy: .error)
  }

  func assign(_ value: Any) throws -> Bool { try assign(value, nil) }
}
