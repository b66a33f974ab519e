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
    orMisuse { try ObjectBuilder.fill(self, value: value) }
    evaluateDefaults()
  }

  /// The same; throws for values that do not fit, however deep, where `init(value:)` ends the process (E-61 to E-63).
  public convenience init(validating value: Any) throws(Realm.Error) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    try orRealmError { try ObjectBuilder.fill(self, value: value) }
    evaluateDefaults()
  }

  /// The Realm that manages the object; nil when unmanaged, or deleted through this instance.
  public var realm: Realm? { isDetached ? nil : core.map { Realm($0) } }
  /// The class as its Realm knows it; for an unmanaged object, as it is declared.
  public var objectSchema: ObjectSchema { ObjectSchema(model) }
  /// The primary key by its name, as models of the old style declare it; `@Persisted(primaryKey: true)` says the same.
  open class func primaryKey() -> String? { nil }
  /// Properties that are not stored, as models of the old style name them; the same as leaving out `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }
  /// Properties with an index, as models of the old style name them; `@Persisted(indexed: true)` says the same.
  open class func indexedProperties() -> [String] { [] }

  /// A property by name; setting needs a write transaction when managed.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Whether both are accessors of one row in one Realm instance; unmanaged: the same instance.
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
    orMisuse { try ObjectBuilder.fill(self, value: value) }
    evaluateDefaults()
  }

  /// The same; throws for values that do not fit, however deep, where `init(value:)` ends the process (E-61 to E-63).
  public convenience init(validating value: Any) throws(Realm.Error) {
    let outer = DeclaredDefaults.beginDeferring()
    self.init()
    DeclaredDefaults.end(outer)
    try orRealmError { try ObjectBuilder.fill(self, value: value) }
    evaluateDefaults()
  }

  public var realm: Realm? { isDetached ? nil : core.map { Realm($0) } }
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

  /// Whether both are accessors of one row in one Realm instance; unmanaged: the same instance.
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

extension Object: ThreadConfined {
  public var isFrozen: Bool { core?.isFrozen ?? false }

  /// An immutable copy of the row's committed version, for any thread.
  public func freeze() -> Self { frozenAccessor(of: self) }

  /// The live counterpart on this thread; nil when the object is gone.
  public func thaw() -> Self? { thawedAccessor(of: self) }
}

extension EmbeddedObject: ThreadConfined {
  public var isFrozen: Bool { core?.isFrozen ?? false }
  public func freeze() -> Self { frozenAccessor(of: self) }
  public func thaw() -> Self? { thawedAccessor(of: self) }
}

func frozenAccessor<T: ObjectBase>(of object: T) -> T { orMisuse { try frozenAccessor(verifying: object) } }

/// The frozen counterpart; throws for what cannot be frozen (E-69).
func frozenAccessor<T: ObjectBase>(verifying object: T) throws -> T {
  guard object.isManaged else {
    throw Realm.Error.invalid(
      "Only committed, managed objects can be frozen; add this \(object.model.name) to a Realm first.",
      className: object.model.name)
  }
  let cursor = try object.verifiedCursor()
  if cursor.core.isFrozen { return object }
  guard let result = cursor.core.frozen().counterpart(of: object) else {
    throw Realm.Error.invalid(
      "An object created in the open write transaction cannot be frozen; commit first.", className: object.model.name)
  }
  return result
}

func thawedAccessor<T: ObjectBase>(of object: T) -> T? {
  guard let cursor = object.cursorReference else { misuse("Only managed objects can be thawed.") }
  guard cursor.core.isFrozen else { return object.isInvalidated ? nil : object }
  return cursor.core.thawed().counterpart(of: object)
}

/// Makes objects `Identifiable` by their row.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for all accessors of a row.
  var id: UInt64 { get }
}

/// The name with RealmSwift's old spelling.
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// The row for a managed object, the instance for an unmanaged one.
  public var id: UInt64 {
    isManaged ? _objectKey.rawValue : UInt64(UInt(bitPattern: ObjectIdentifier(self).hashValue))
  }
}
