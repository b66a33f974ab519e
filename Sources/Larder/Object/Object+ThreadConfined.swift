extension Object: ThreadConfined {
  public var isFrozen: Bool { host?.isFrozen ?? false }

  /// An immutable copy of the row's committed version, for any thread.
  ///
  /// ```swift
  /// let frozen = person.freeze()
  /// ```
  ///
  /// Misuse for an unmanaged or deleted object; `throwing.freeze()` throws instead. On the Realm's thread; the copy may be read from any.
  /// Costs next to nothing, but keeps the version in the file as long as it lives.
  public func freeze() -> Self { frozenAccessor(of: self) }

  /// The live counterpart on this thread; nil when the object is deleted.
  ///
  /// ```swift
  /// let live = frozen.thaw()
  /// ```
  ///
  /// Misuse for an unmanaged object. From any thread: the counterpart belongs to the calling one. Costs a look-up, and opening where the thread
  /// has no Realm of the store.
  public func thaw() -> Self? { thawedAccessor(of: self) }
}

extension EmbeddedObject: ThreadConfined {
  public var isFrozen: Bool { host?.isFrozen ?? false }
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
  if cursor.host.isFrozen { return object }
  guard let result = cursor.host.frozen().counterpart(of: object) else {
    throw Realm.Error.invalid(
      "An object created in the open write transaction cannot be frozen; commit first.", className: object.model.name)
  }
  return result
}

func thawedAccessor<T: ObjectBase>(of object: T) -> T? {
  guard let cursor = object.cursorReference else { misuse("Only managed objects can be thawed.") }
  guard cursor.host.isFrozen else { return object.isInvalidated ? nil : object }
  return cursor.host.thawed().counterpart(of: object)
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
  public var id: UInt64 { identity }
}

extension ObjectBase {
  /// The row of a managed object, the instance of an unmanaged one.
  var identity: UInt64 {
    isManaged ? _objectKey.rawValue : UInt64(UInt(bitPattern: ObjectIdentifier(self).hashValue))
  }
}
