import LarderStorage

/// Reaches one property of unmanaged objects at its byte offset, typed once per class instead of once per object.
public class _PropertyAccessor {
  /// Number of the property in its class.
  final var index = 0
  /// Bytes from the object's start to its wrapper.
  final var offset = 0

  init() {}

  /// Writes the wrapper's value to a new row and gives the wrapper over to the store.
  func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {}
  /// Writes the wrapper's value to an existing row; only if it differs when asked for.
  func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {}
  /// The value of an unmanaged object in its boxed form.
  func boxed(_ object: UnsafeMutableRawPointer) -> Any { () }
  /// The value of an unmanaged object as the store would hold it; links cannot be asked for.
  func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { .null }
  /// Sets an unmanaged object's value; false when it does not fit.
  func set(_ value: Any, _ object: UnsafeMutableRawPointer) -> Bool { false }
  /// A value of any kind in the store's form; nil when it does not fit the property.
  func converted(_ value: Any, in host: ObjectHost) -> StoredValue? { nil }
  /// A value that the store held, boxed as that of a managed object is; nil when it is none of the property's type.
  func boxed(_ value: StoredValue, in realm: Realm?) -> Any? { nil }
  /// The value of a managed object, typed as the property is.
  func managedValue(_ object: ObjectBase) -> Any { () }
  /// The same; throws when the stored value is none of the property's type.
  func verifiedValue(_ object: ObjectBase) throws -> Any { () }
  /// Returns true if the property's type is a collection.
  func isCollection() -> Bool { false }
  /// True if the property is a required `Int`, whose accessor is an `IntAccessor`.
  var isInteger: Bool { false }
  /// Takes the value out of an unmanaged object that is about to go; nil when it has none.
  func take(_ object: UnsafeMutableRawPointer) -> Any? { nil }
  /// Makes the wrapper that of a managed object: empty.
  func clear(_ object: UnsafeMutableRawPointer) {}
  func flags(_ object: UnsafeMutableRawPointer) -> UInt32 { 0 }
  /// Returns true if an unmanaged object's value was assigned, or a collection filled, since the object was made.
  func isAssigned(_ object: UnsafeMutableRawPointer) -> Bool { true }
  /// Makes an unmanaged object's value count as a default.
  func markDefaulted(_ object: UnsafeMutableRawPointer) {}
  /// Returns true if an unmanaged object has a value, given or by default.
  func hasValue(_ object: UnsafeMutableRawPointer) -> Bool { true }
  /// Returns true if the store can hold a value that the property's type may have no value for (O-23).
  func takesUnknown(_ value: Any) -> Bool { false }
  /// True if `refused` can find anything.
  var mayRefuse: Bool { false }
  /// The custom type that refuses a value, or an element of one, for a required place, with what it refuses.
  func refused(_ value: Any) -> (type: Any.Type, value: Any)? { nil }
  /// The type of the property's values; nil where only the store knows it.
  var valueType: Any.Type? { nil }
  /// Sets an unmanaged object's property as it reads once a value is stored that its type has none for: optional places are nil. False
  /// where there is no optional place, and for what the store could not hold.
  func setAsRead(_ value: Any, _ object: UnsafeMutableRawPointer) -> Bool { false }
  /// Says that the value is written once the object has a row.
  func leaveToBuilder(_ object: UnsafeMutableRawPointer) {}
  /// Takes the expression that the property is declared with from those that were noted while the class's example was made.
  func takeExpression(_ expressions: [Any], _ example: UnsafeMutableRawPointer) {}
  /// Evaluates the declared value of an unmanaged object if it was left out.
  func evaluateDefault(_ object: UnsafeMutableRawPointer) {}
  /// For `LinkingObjects`: the property whose links are followed back.
  func originName(_ object: UnsafeMutableRawPointer) -> String? { nil }
}

extension ModelClass {
  /// The misuse of an object that was made without a value that its class has no default for.
  func lacksDefault(_ property: String) -> String {
    "\(name).\(property) has no value, and its type has none for the default of what is stored. Set it before the object is read or "
      + "added, give it a value where it is declared, or make it optional."
  }
}

/// A `Persisted` of any type.
protocol AnyPersisted {
  static func makeAccessor() -> _PropertyAccessor
  static var valueType: any _Persistable.Type { get }
}
