import Foundation
import LarderStorage

/// Base of everything that can be stored as an object.
///
/// An instance is unmanaged (ordinary memory) until it is added to a Realm; a managed one is a cheap view of a row. Managed
/// instances belong to the thread, queue or actor of their Realm.
open class ObjectBase: NSObject {
  // Touched by inlined property reads: no exclusivity checks, no reference counting.
  @exclusivity(unchecked) @usableFromInline final var _states: UnsafeMutablePointer<_ColumnState>?
  @exclusivity(unchecked) @usableFromInline final var _tag: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline final var _slot: Int = 0
  @exclusivity(unchecked) @usableFromInline final var _objectKey = ObjectKey(rawValue: 0)
  /// Keeps the Realm, and with it the cursor and its states, alive.
  @exclusivity(unchecked) final var host: ObjectHost?
  @exclusivity(unchecked) final unowned(unsafe) var cursorReference: _ClassCursor?
  /// The moment at which the accessor was made.
  @exclusivity(unchecked) final var validity = ValidityStamp()
  @exclusivity(unchecked) final var isDetached = false
  @exclusivity(unchecked) final var trace: _KeyPathTrace?

  public required override init() { super.init() }

  deinit {
    // Set and taken back together with the cursor, which would be retained to be looked at.
    if host == nil { unlinkGraph() }
  }

  /// True once the object was deleted or its Realm invalidated; false for unmanaged objects.
  open var isInvalidated: Bool { isManaged && !isAccessible }

  /// Name of the class in the schema, in queries and in migrations: the last component of the type's name.
  open class func className() -> String { _realmObjectName() ?? ModelNames.name(of: self) }

  /// Returns true if the class is opened without being named in `objectTypes`.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  /// The class as it is declared; nil for the base classes of models, which declare nothing.
  open class func sharedSchema() -> ObjectSchema? { declaresModel ? ObjectSchema(ModelClass.of(self)) : nil }
  /// Returns true if the objects live inside others; see `EmbeddedObject`.
  open class func isEmbedded() -> Bool { false }
  /// Returns true if objects can only be sent to a sync service; see `AsymmetricObject`.
  open class func isAsymmetric() -> Bool { false }
  /// Another stored class name; nil for `className()`.
  open class func _realmObjectName() -> String? { nil }
  /// Stored names for properties, by their names in Swift.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Properties whose values no two objects share: `[[\Person.country, \Person.number]]`. Beyond RealmSwift (U-13).
  ///
  /// Each entry is a rule over one or several stored, single-valued properties; an object with nil among them is exempt. Also an
  /// index for queries over them. A commit that would break a rule throws `Realm.Error.invalidInput` and changes nothing; throwing
  /// forms of creating and adding look at once. Adding a rule to a store that breaks it fails to open.
  open class var uniqueKeys: [[AnyKeyPath]] { [] }
  /// Indexes over several stored, single-valued properties: `[[\Person.city, \Person.age]]`. Beyond RealmSwift (U-14).
  ///
  /// An index serves queries for all of its properties, or for the first ones. Added and removed without raising the schema
  /// version.
  open class var compositeIndexes: [[AnyKeyPath]] { [] }

  open override var description: String { text(depth: 0) }

  /// The value of a property by name; nil for null. Numbers are `NSNumber`s, which cast to every type of number that they fit in:
  /// `object.value(forKey: "age") as? Int`.
  open func value(forKey key: String) -> Any? {
    model.declares(key) ? declaredValue(forKey: key) : value(forUndefinedKey: key)
  }

  /// The value that a key path leads to over links; nil where a link is.
  open func value(forKeyPath keyPath: String) -> Any? {
    var current: Any? = self
    for name in keyPath.split(separator: ".") {
      guard let object = current as? ObjectBase else { return nil }
      current = object.value(forKey: String(name))
    }
    return current
  }

  /// Sets a property by name; a collection's contents are replaced. Needs a write transaction when managed.
  open func setValue(_ value: Any?, forKey key: String) {
    guard model.declares(key) else { return setValue(value, forUndefinedKey: key) }
    setDeclaredValue(value, forKey: key)
  }

  /// Sets a property that a key path leads to over links; nothing happens where a link is nil.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    var names = keyPath.split(separator: ".").map(String.init)
    guard let last = names.popLast() else { return }
    let target = names.isEmpty ? self : self.value(forKeyPath: names.joined(separator: ".")) as? ObjectBase
    target?.setValue(value, forKey: last)
  }

  /// Called by `value(forKey:)` for a name that is no property; to be overridden. Misuse unless it is. The value of a property when
  /// it is called with the name of one.
  open func value(forUndefinedKey key: String) -> Any? {
    guard model.declares(key) else { misuse(model.unknownProperty(key)) }
    return declaredValue(forKey: key)
  }

  /// Called by `setValue(_:forKey:)` for a name that is no property; to be overridden. Misuse unless it is. Sets a property when it is
  /// called with the name of one.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    guard model.declares(key) else { misuse(model.unknownProperty(key)) }
    setDeclaredValue(value, forKey: key)
  }

  /// By primary key for objects that have one, managed or not, by row for frozen ones without, else by instance. The hash of a deleted
  /// object is by instance, too: its key is deleted (O-101, O-102).
  open override var hash: Int {
    var hasher = Hasher()
    if let primary = model.primaryKey, !isManaged || isAccessible {
      hasher.combine(model.name)
      hasher.combine(cursorReference?.value(primary.index, _objectKey) ?? primary.accessor.storedValue(address))
    } else if let cursorReference, cursorReference.host.isFrozen, !isDetached {
      hasher.combine(cursorReference.classID)
      hasher.combine(_objectKey)
    } else {
      return ObjectIdentifier(self).hashValue
    }
    return hasher.finalize()
  }

  /// Unmanaged: the same instance. Managed with a primary key, or frozen: the same row of the same Realm.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ObjectBase else { return false }
    if self === other { return true }
    guard let cursorReference, cursorReference.host.isFrozen || cursorReference.model.primaryKey != nil else {
      return false
    }
    return isSameRow(as: other)
  }
}

extension ObjectBase: KeypathSortable {}
extension ObjectBase: HasThrowingForms {}
