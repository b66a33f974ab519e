import LarderStorage

/// Marks a property of a model class as stored.
///
/// In an unmanaged object the value lives in the wrapper; in a managed one reads and writes go to the store. Reading a managed
/// property costs one compare and one load from the column's leaf; see `_ColumnState`.
@propertyWrapper
@frozen
public struct Persisted<Value> {
  // The type has no constraint, so that one that cannot be stored leads to an overload that says what to write (F-138). The compiler looks for
  // what a declaration needs in the type itself, not in its extensions.

  // The first word is the same for every `Value`: it is written at a byte offset when an object becomes managed.
  @usableFromInline var _column: Int32
  @usableFromInline var _flags: UInt32
  @usableFromInline var _stored: Value?

  @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
  public var wrappedValue: Value {
    get { misuse("@Persisted can only be used in a class.") }
    // swift-format-ignore
    set { _ = newValue; misuse("@Persisted can only be used in a class.") }
  }

  /// The type's default value: made at once where each one is another (O-21), unless one may be given yet, else when it is first read.
  @inlinable @inline(__always)
  public init() where Value: _Persistable {
    _flags = 0
    if Value._rlmDefaultIsUnique, _makesDefaultsAtOnce() {
      _column = PersistedColumn.defaulted
      _stored = Value._rlmDefaultValue()
    } else {
      _column = PersistedColumn.noValue
      _stored = nil
    }
  }

  /// The value that new objects begin with.
  @inlinable @inline(__always)
  public init(wrappedValue value: Value) where Value: _Persistable {
    _column = PersistedColumn.defaulted
    _flags = 0
    _stored = value
  }

  /// Reads and writes the property of an object: in memory when unmanaged, else in the store.
  public static subscript<EnclosingSelf>(
    _enclosingInstance observed: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Persisted<Value>>
  ) -> Value where EnclosingSelf: ObjectBase, Value: _Persistable {
    @inlinable @inline(__always)
    get {
      if Value._rlmReadIsShort {
        let column = Int(observed[keyPath: storageKeyPath]._column)
        if column >= 0 {
          let state = observed._states.unsafelyUnwrapped + column
          let slot = observed._slot
          if state.pointee.tag == observed._tag, slot < Int(state.pointee.leaf.count) {
            // Programs built for debugging check the thread here as well; in others this path is free of it.
            assert(observed._isUsedWhereItLives)
            return Value._rlmRead(state.pointee.leaf, slot, observed, column)
          }
        }
      }
      return _readElsewhere(observed, withUnsafeMutablePointer(to: &observed[keyPath: storageKeyPath]) { $0 })
    }
    @inlinable @inline(__always)
    set {
      _put(newValue, observed, withUnsafeMutablePointer(to: &observed[keyPath: storageKeyPath]) { $0 })
    }
  }
}

extension Persisted where Value: _Persistable {
  /// Assigns a value.
  @inlinable @inline(never)
  static func _put(_ value: Value, _ object: ObjectBase, _ place: UnsafeMutablePointer<Persisted>) {
    let column = Int(place.pointee._column)
    if column >= 0 {
      Value._rlmWrite(value, object, column)
    } else if Value._rlmIsCollection {
      Value._rlmReplaceContents(of: _readElsewhere(object, place), with: value)
      place.pointee._column = PersistedColumn.unmanaged
    } else {
      place.pointee._stored = value
      place.pointee._column = PersistedColumn.unmanaged
    }
  }

  /// Every reading that the accessor does not do itself.
  ///
  /// One copy for each type of value and module: inlined into the accessors of every property, it made most of the time that public
  /// models take to compile.
  @inlinable @inline(never)
  static func _readElsewhere(_ object: ObjectBase, _ place: UnsafeMutablePointer<Persisted>) -> Value {
    let column = Int(place.pointee._column)
    if column >= 0 {
      if !Value._rlmReadIsShort {
        let state = object._states.unsafelyUnwrapped + column
        let slot = object._slot
        if state.pointee.tag == object._tag, slot < Int(state.pointee.leaf.count) {
          assert(object._isUsedWhereItLives)
          return Value._rlmRead(state.pointee.leaf, slot, object, column)
        }
      }
      if Value._rlmIsCollection {
        if let value = place.pointee._stored { return value }
        let value = Value._rlmReadSlowly(object, column)
        // Each reading of an inverse is a value of its own.
        if object._keepsCollections, Value._rlmType != .linkingObjects { place.pointee._stored = value }
        return value
      }
      return _readAfterRefill(object, column)
    }
    return _readInMemory(object, place)
  }

  /// Returns the value that an unmanaged object holds, a default, or a trace.
  @inlinable @inline(never)
  static func _readInMemory(_ object: ObjectBase, _ place: UnsafeMutablePointer<Persisted>) -> Value {
    let column = Int(place.pointee._column)
    if column > Int(PersistedColumn.traced), let value = place.pointee._stored { return value }
    if column == Int(PersistedColumn.deferred) {
      object.evaluateDefaults()
      if let value = place.pointee._stored { return value }
    }
    // What is traced may be no value at all (F-20): it goes straight to the caller, without a copy.
    if column <= Int(PersistedColumn.traced) { return _makeValue(object, column, place.pointee._stored) }
    let value = _makeValue(object, column, place.pointee._stored)
    if column == Int(PersistedColumn.noValue) {
      place.pointee._stored = value
      place.pointee._column = PersistedColumn.defaulted
    }
    return value
  }

  /// Fills the column's state for the object's cluster, then reads; used once per cluster and column of a scan.
  @inlinable @inline(never)
  static func _readAfterRefill(_ object: ObjectBase, _ column: Int) -> Value {
    if object._refill(column) {
      let state = object._states.unsafelyUnwrapped + column
      return Value._rlmRead(state.pointee.leaf, object._slot, object, column)
    }
    return Value._rlmReadSlowly(object, column)
  }

  @usableFromInline @inline(never)
  static func _makeValue(_ object: ObjectBase, _ column: Int, _ stored: Value?) -> Value {
    if column <= Int(PersistedColumn.traced) {
      return Value._rlmTraced(_KeyPathTrace(object, property: Int(PersistedColumn.traced) - column), or: stored)
    }
    if !Value._rlmHasDefault {
      let model = object.model
      let missing = model.properties.filter { !$0.accessor.hasValue(object.address) }.map(\.name)
      misuse(model.lacksDefault(missing.joined(separator: " or ")))
    }
    return Value._rlmDefaultValue()
  }
}

/// False while a builder makes an object that it gives values to.
@usableFromInline
func _makesDefaultsAtOnce() -> Bool { !DeclaredDefaults.areDeferred }

extension Persisted where Value: _Persistable, Value.PersistedType: _Indexable {
  /// With or without an index; see `IndexType.general`.
  @inlinable
  public init(indexed: Bool) {
    self.init()
    if indexed { _flags = PersistedFlag.indexed }
  }

  /// The value that new objects begin with, with or without an index.
  @inlinable
  public init(wrappedValue value: Value, indexed: Bool) {
    self.init(wrappedValue: value)
    if indexed { _flags = PersistedFlag.indexed }
  }

  /// A property that keeps an index of some kind.
  @inlinable
  public init(indexed: IndexType) {
    self.init()
    _flags = PersistedFlag.flags(indexed)
  }

  /// A property that keeps an index of some kind.
  @inlinable
  public init(wrappedValue value: Value, indexed: IndexType) {
    self.init(wrappedValue: value)
    _flags = PersistedFlag.flags(indexed)
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _PrimaryKey {
  /// The property that tells the objects of the class apart; one of a class.
  @inlinable
  public init(primaryKey: Bool) {
    self.init()
    if primaryKey { _flags = PersistedFlag.primaryKey }
  }

  /// The primary key, with a value that new objects begin with.
  @inlinable
  public init(wrappedValue value: Value, primaryKey: Bool) {
    self.init(wrappedValue: value)
    if primaryKey { _flags = PersistedFlag.primaryKey }
  }
}
