import Foundation
import LarderStorage

/// Base class of models with rows of their own.
open class Object: ObjectBase {
  public required init() { super.init() }

  /// An unmanaged instance from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    orMisuse { try fill(from: value) }
    evaluateDefaults()
  }

  /// The same; throws for values that do not fit, however deep, where `init(value:)` ends the process (E-61 to E-63).
  public convenience init(validating value: Any) throws(Realm.Error) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    try orRealmError { try fill(from: value) }
    evaluateDefaults()
  }

  /// The Realm that manages the object; nil when unmanaged, or deleted through this instance.
  public var realm: Realm? { isDetached ? nil : host.map { Realm($0) } }
  /// The class as its Realm knows it; for an unmanaged object, as it is declared.
  public var objectSchema: ObjectSchema { ObjectSchema(model) }
  /// The primary key by its name, as models of the old style declare it; `@Persisted(primaryKey: true)` says the same.
  open class func primaryKey() -> String? { nil }
  /// Properties that are not stored, as models of the old style name them; the same as leaving out `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }
  /// Properties with an index, as models of the old style name them; `@Persisted(indexed: true)` says the same.
  open class func indexedProperties() -> [String] { [] }
  /// Returns the mode that says whether objects of the class go to other devices, in a Realm that is synced. Has no effect in others.
  open class func syncMode() -> SyncMode { .synced }

  /// A property by name; setting needs a write transaction when managed.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Returns true if both are accessors of one row in one Realm instance; unmanaged: the same instance.
  public func isSameObject(as object: Object?) -> Bool {
    guard let object else { return false }
    if !isManaged || !object.isManaged { return self === object }
    return isSameRow(as: object) && !isInvalidated
  }
}

/// Base class of models that live inside one parent and are deleted with it.
open class EmbeddedObject: ObjectBase {
  public required init() { super.init() }

  /// An unmanaged instance from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    orMisuse { try fill(from: value) }
    evaluateDefaults()
  }

  /// The same; throws for values that do not fit, however deep, where `init(value:)` ends the process (E-61 to E-63).
  public convenience init(validating value: Any) throws(Realm.Error) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    try orRealmError { try fill(from: value) }
    evaluateDefaults()
  }

  public var realm: Realm? { isDetached ? nil : host.map { Realm($0) } }
  /// The class as its Realm knows it; for an unmanaged object, as it is declared.
  public var objectSchema: ObjectSchema { ObjectSchema(model) }
  open override class func isEmbedded() -> Bool { true }
  /// Properties that are not stored, as models of the old style name them; the same as leaving out `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }

  /// A property by name; setting needs a write transaction when managed.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Returns true if both are accessors of one row in one Realm instance; unmanaged: the same instance.
  public func isSameObject(as object: EmbeddedObject?) -> Bool {
    guard let object else { return false }
    if !isManaged || !object.isManaged { return self === object }
    return isSameRow(as: object) && !isInvalidated
  }
}

/// The class under another name, for files that have an `Object` of their own.
public typealias RealmSwiftObject = Object
/// The class under another name, for files that have an `EmbeddedObject` of their own.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
