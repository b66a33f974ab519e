/// An object of a class that is known by name only: properties are reached by name, and hold what the store holds.
///
/// Got from `Realm.dynamicObjects(_:)` and its kin, for every class of the store, also those without a Swift class. Values of
/// custom types and enums appear in their stored form. Managed only: an instance made with `init()` has no properties.
@dynamicMemberLookup
public final class DynamicObject: Object {
  public required init() { super.init() }

  /// A property by name: a number, text, object, `List`, `MutableSet` or `Map` with elements of the stored type; nil for null.
  ///
  /// Setting needs a write transaction, replaces a collection's contents, and is misuse for an unknown name or a value that
  /// does not fit (E-60, E-61).
  public override subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The same as the subscript by name.
  public subscript(dynamicMember member: String) -> Any? {
    get { value(forKey: member) }
    set { setValue(newValue, forKey: member) }
  }

  public override func value(forUndefinedKey key: String) -> Any? { super.value(forUndefinedKey: key) }
  public override func setValue(_ value: Any?, forUndefinedKey key: String) {
    super.setValue(value, forUndefinedKey: key)
  }

  /// False: the class means others and is in no schema.
  public override class func shouldIncludeInDefaultSchema() -> Bool { false }
  /// Nil: each object has the schema of the class it means, see `objectSchema`.
  public override class func sharedSchema() -> ObjectSchema? { nil }
}
