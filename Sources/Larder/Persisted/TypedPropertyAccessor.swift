import LarderStorage

/// Reaches one property of a type, at its byte offset, in unmanaged objects and in rows.
class TypedPropertyAccessor<Value: _Persistable>: _PropertyAccessor {
  /// The expression that the property is declared with, where that is evaluated for each object.
  private final var expression: (() -> Value)?

  override final func boxed(_ value: StoredValue, in realm: Realm?) -> Any? {
    Value._rlmFromStored(value, in: realm)?._rlmObjcValue
  }

  @inline(__always)
  final func wrapper(_ object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Persisted<Value>> {
    (object + offset).assumingMemoryBound(to: Persisted<Value>.self)
  }

  override final func take(_ object: UnsafeMutableRawPointer) -> Any? {
    let wrapper = wrapper(object)
    defer { wrapper.pointee._stored = nil }
    return wrapper.pointee._stored
  }

  @inline(__always)
  final func currentValue(_ wrapper: UnsafeMutablePointer<Persisted<Value>>) -> Value {
    if let value = wrapper.pointee._stored { return value }
    if wrapper.pointee._column == PersistedColumn.deferred { return declaredValue(wrapper) }
    if !Value._rlmHasDefault { reportNoDefault(wrapper) }
    let value = Value._rlmDefaultValue()
    wrapper.pointee._stored = value
    if wrapper.pointee._column == PersistedColumn.noValue { wrapper.pointee._column = PersistedColumn.defaulted }
    return value
  }

  /// The value of an object that the class's expression was not evaluated for yet.
  final func declaredValue(_ wrapper: UnsafeMutablePointer<Persisted<Value>>) -> Value {
    let value = expression?() ?? valueOfAnother(wrapper)
    wrapper.pointee._stored = value
    wrapper.pointee._column = PersistedColumn.defaulted
    return value
  }

  /// The value that the class's initialiser gives another object; for one that does not begin with the same wrappers each time.
  private func valueOfAnother(_ wrapper: UnsafeMutablePointer<Persisted<Value>>) -> Value {
    let start = UnsafeMutableRawPointer(wrapper) - offset
    let other = type(of: Unmanaged<ObjectBase>.fromOpaque(start).takeUnretainedValue()).init()
    return self.wrapper(other.address).pointee._stored ?? Value._rlmDefaultValue()
  }

  override final func takeExpression(_ expressions: [Any], _ example: UnsafeMutableRawPointer) {
    let wrapper = wrapper(example)
    let ticket = Int(wrapper.pointee._flags >> PersistedFlag.ticketShift)
    guard ticket > 0 else { return }
    expression = expressions[ticket - 1] as? () -> Value
    wrapper.pointee._flags &= PersistedFlag.mask
  }

  override final func evaluateDefault(_ object: UnsafeMutableRawPointer) {
    let wrapper = wrapper(object)
    switch wrapper.pointee._column {
    case PersistedColumn.deferred: _ = declaredValue(wrapper)
    case PersistedColumn.noValue where Value._rlmDefaultIsUnique: _ = currentValue(wrapper)
    default: break
    }
  }

  private func reportNoDefault(_ wrapper: UnsafeMutablePointer<Persisted<Value>>) -> Never {
    let start = UnsafeMutableRawPointer(wrapper) - offset
    let model = Unmanaged<ObjectBase>.fromOpaque(start).takeUnretainedValue().model
    misuse(model.lacksDefault(model.property(index).name))
  }

  /// Returns true if the value of an object that gets a row is written later.
  private func isLeftToBuilder(_ wrapper: UnsafeMutablePointer<Persisted<Value>>) -> Bool {
    guard wrapper.pointee._column == PersistedColumn.leftToBuilder else { return false }
    wrapper.pointee._stored = nil
    wrapper.pointee._column = Int32(truncatingIfNeeded: index)
    return true
  }

  override func add(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase
  ) {
    let wrapper = wrapper(object)
    if isLeftToBuilder(wrapper) { return }
    let isDefault = !isAssigned(object)
    if Value._rlmIsCollection {
      (wrapper.pointee._stored as? any ManagedCollection)?.adopt(by: owner, cursor, index, key)
    } else {
      Value._rlmStore(currentValue(wrapper), cursor, index, key)
      wrapper.pointee._stored = nil
    }
    wrapper.pointee._column = Int32(truncatingIfNeeded: index)
    if isDefault { cursor.noteDefault(index, key) }
  }

  /// Makes the wrapper that of a managed object, and logs whether its value was a default.
  @inline(__always)
  final func take(_ wrapper: UnsafeMutablePointer<Persisted<Value>>, _ cursor: _ClassCursor, _ key: ObjectKey) {
    let wasAssigned = wrapper.pointee._column == PersistedColumn.unmanaged
    wrapper.pointee._column = Int32(truncatingIfNeeded: index)
    if !wasAssigned { cursor.noteDefault(index, key) }
  }

  /// `add` for a value that is no collection. Inlined into the concrete subclasses: a generic class's own methods are never
  /// specialised, and would look up metadata for each property of each object.
  @inline(__always)
  final func addScalar(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey) {
    let wrapper = wrapper(object)
    Value._rlmStore(wrapper.pointee._stored ?? currentValue(wrapper), cursor, index, key)
    handOver(wrapper, cursor, key)
  }

  /// Leaves the wrapper of a value that was written to the store without the value.
  @inline(__always)
  final func handOver(_ wrapper: UnsafeMutablePointer<Persisted<Value>>, _ cursor: _ClassCursor, _ key: ObjectKey) {
    wrapper.pointee._stored = nil
    take(wrapper, cursor, key)
  }

  /// `storedValue`, inlined likewise.
  @inline(__always)
  final func scalarValue(_ object: UnsafeMutableRawPointer) -> StoredValue {
    currentValue(wrapper(object))._rlmStored(in: nil)
  }

  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    let wrapper = wrapper(object)
    if isLeftToBuilder(wrapper) { return }
    if Value._rlmIsCollection {
      let list = currentValue(wrapper) as? any ManagedCollection
      list?.adopt(by: owner, cursor, index, key, policy: changedOnly ? .modified : .all)
    } else {
      let value = currentValue(wrapper)
      if cursor.model.properties[index].isObject {
        cursor.updateLink(value._rlmObjcValue as? ObjectBase, index, key, changedOnly: changedOnly)
      } else {
        let stored = value._rlmStored(in: cursor.realm)
        if !changedOnly || cursor.value(index, key) != stored { cursor.store(stored, index, key) }
      }
      wrapper.pointee._stored = nil
    }
    wrapper.pointee._column = Int32(truncatingIfNeeded: index)
  }

  /// `update` for the types whose values are compared where they are stored. Inlined like `addScalar`.
  @inline(__always)
  final func updateScalar(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, changedOnly: Bool,
    _ isHeld: (RowComparer, ColumnID, Value) throws -> Bool
  ) {
    let wrapper = wrapper(object)
    if isLeftToBuilder(wrapper) { return }
    let value = currentValue(wrapper)
    if !changedOnly || !cursor.holds(index, { try isHeld($0, $1, value) }) {
      if cursor.hasDefaults { cursor.noteAssigned(index, key) }
      Value._rlmStore(value, cursor, index, key)
    }
    wrapper.pointee._stored = nil
    wrapper.pointee._column = Int32(truncatingIfNeeded: index)
  }

  override func converted(_ value: Any, in host: ObjectHost) -> StoredValue? {
    Value._rlmFromObjc(value, insideOptional: false).map { $0._rlmStored(in: Realm(host)) }
  }

  override func boxed(_ object: UnsafeMutableRawPointer) -> Any {
    let value = currentValue(wrapper(object))
    return Value._rlmIsCollection ? value : value._rlmObjcValue
  }

  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue {
    currentValue(wrapper(object))._rlmStored(in: nil)
  }

  override func set(_ value: Any, _ object: UnsafeMutableRawPointer) -> Bool {
    let wrapper = wrapper(object)
    if Value._rlmIsCollection {
      guard let collection = currentValue(wrapper) as? any ManagedCollection else { return false }
      return orMisuse { try collection.assign(value) }
    }
    guard let converted = Value._rlmFromObjc(value, insideOptional: false) else { return false }
    wrapper.pointee._stored = converted
    wrapper.pointee._column = PersistedColumn.unmanaged
    return true
  }

  override func managedValue(_ object: ObjectBase) -> Any {
    if Value._rlmIsCollection {
      let wrapper = wrapper(object.address)
      if let value = wrapper.pointee._stored { return value }
      let value = Value._rlmReadSlowly(object, index)
      if object._keepsCollections { wrapper.pointee._stored = value }
      return value
    }
    return Value._rlmReadSlowly(object, index)._rlmObjcValue
  }

  override func verifiedValue(_ object: ObjectBase) throws -> Any {
    // Every stored value is one of any type; collections in it are live.
    if Value._rlmIsCollection || Value._rlmType == .any { return managedValue(object) }
    let (stored, realm) = object._storedValue(index)
    guard let value = Value._rlmFromStored(stored, in: realm) else { throw object.unreadable(stored, index) }
    return value._rlmObjcValue
  }

  override func isCollection() -> Bool { Value._rlmIsCollection }
  override func clear(_ object: UnsafeMutableRawPointer) {
    wrapper(object).pointee._stored = nil
    wrapper(object).pointee._column = Int32(truncatingIfNeeded: index)
  }
  override func isAssigned(_ object: UnsafeMutableRawPointer) -> Bool {
    let wrapper = wrapper(object)
    if wrapper.pointee._column == PersistedColumn.unmanaged { return true }
    guard Value._rlmIsCollection, let held = wrapper.pointee._stored as? any ManagedCollection else { return false }
    return held.count > 0
  }
  override func markDefaulted(_ object: UnsafeMutableRawPointer) {
    wrapper(object).pointee._column = PersistedColumn.defaulted
  }
  override func leaveToBuilder(_ object: UnsafeMutableRawPointer) {
    wrapper(object).pointee._stored = nil
    wrapper(object).pointee._column = PersistedColumn.leftToBuilder
  }
  override func hasValue(_ object: UnsafeMutableRawPointer) -> Bool {
    wrapper(object).pointee._stored != nil || Value._rlmHasDefault
  }

  override var valueType: Any.Type? { Value.self }

  override var mayRefuse: Bool { Value._rlmMayRefuse }

  override func refused(_ value: Any) -> (type: Any.Type, value: Any)? {
    Value._rlmMayRefuse ? Value._rlmRefused(value) : nil
  }

  override func takesUnknown(_ value: Any) -> Bool {
    if Value._rlmRefusal == .never || refused(value) != nil { return false }
    let values: [Any]?
    switch Value._rlmCollection {
    case .none: values = [value]
    case .list, .set: values = ValueConverter.sequence(value)
    case .map: values = ValueConverter.entries(value)?.map(\.value)
    }
    return values?.allSatisfy { value in
      ValueConverter.stored(value, as: Value._rlmType).map { !$0.isNull || Value._rlmOptional } ?? false
    } ?? false
  }

  override func setAsRead(_ value: Any, _ object: UnsafeMutableRawPointer) -> Bool {
    guard Value._rlmOptional, takesUnknown(value) else { return false }
    let wrapper = wrapper(object)
    if Value._rlmIsCollection {
      guard let collection = currentValue(wrapper) as? any ManagedCollection else { return false }
      return orMisuse { try collection.assignAsRead(value, Value._rlmType) }
    }
    wrapper.pointee._stored = Value._rlmDefaultValue()
    wrapper.pointee._column = PersistedColumn.unmanaged
    return true
  }

  override func flags(_ object: UnsafeMutableRawPointer) -> UInt32 { wrapper(object).pointee._flags }
}

extension Persisted: AnyPersisted where Value: _Persistable {
  static func makeAccessor() -> _PropertyAccessor { Value._rlmAccessor() }
  static var valueType: any _Persistable.Type { Value.self }
}

extension _Persistable {
  public static func _rlmAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Self>() }
}

extension _PersistableInsideOptional {
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Self?>() }
}
