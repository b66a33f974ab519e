import LarderStorage

/// A maker of objects of one Realm from unmanaged ones and from values, under a policy. Throws for what does not fit, which a plan has found before
/// where there is one.
protocol ObjectMaker {
  var policy: Realm.UpdatePolicy { get }
  /// Makes an unmanaged object and everything it reaches managed (O-2). Returns its key.
  func add(_ object: ObjectBase) throws -> ObjectKey
  /// Makes an unmanaged object the accessor of a new row and writes its values there.
  func adopt(_ object: ObjectBase, _ cursor: _ClassCursor, _ key: ObjectKey)
  /// The object a nested value means: linked when this Realm manages it, else made or copied; nil for what cannot be one.
  func linked(_ value: Any, _ target: _ClassCursor) throws -> ObjectBase?
  /// Updates the object that is at a place already, if that is what the value means (O-46).
  func merge(_ value: Any, into key: ObjectKey, _ target: _ClassCursor) throws -> Bool
  /// Writes one property of an existing row from a value of any kind.
  func assign(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey) throws
}
