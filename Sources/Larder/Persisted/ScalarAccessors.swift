import Foundation
import LarderStorage

// Accessors of the common types. They add nothing but concreteness: their `add` is compiled for its type, which makes adding an
// object several times faster than through the generic class.

final class BoolAccessor: TypedPropertyAccessor<Bool> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeBool(wrapper.pointee._stored ?? false, index, key)
    handOver(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, value)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class OptionalBoolAccessor: TypedPropertyAccessor<Bool?> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try value.map { try comparer.holds(column, key, $0) }
        ?? comparer.holdsNull(column, key)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class IntAccessor: TypedPropertyAccessor<Int> {
  override var isInteger: Bool { true }

  /// The value of an unmanaged object by an accessor that is known to be one of these.
  @inline(__always)
  static func value(_ accessor: Unmanaged<_PropertyAccessor>, _ object: UnsafeMutableRawPointer) -> Int64 {
    accessor._withUnsafeGuaranteedRef {
      Int64(unsafeDowncast($0, to: IntAccessor.self).wrapper(object).pointee._stored ?? 0)
    }
  }

  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeInt(Int64(wrapper.pointee._stored ?? 0), index, key)
    handOver(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, Int64(value))
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class OptionalIntAccessor: TypedPropertyAccessor<Int?> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try value.map { try comparer.holds(column, key, Int64($0)) }
        ?? comparer.holdsNull(column, key)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class Int64Accessor: TypedPropertyAccessor<Int64> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeInt(wrapper.pointee._stored ?? 0, index, key)
    handOver(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, value)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class FloatAccessor: TypedPropertyAccessor<Float> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeFloat(wrapper.pointee._stored ?? 0, index, key)
    handOver(wrapper, cursor, key)
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class DoubleAccessor: TypedPropertyAccessor<Double> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeDouble(wrapper.pointee._stored ?? 0, index, key)
    handOver(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, value)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class OptionalDoubleAccessor: TypedPropertyAccessor<Double?> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try value.map { try comparer.holds(column, key, $0) }
        ?? comparer.holdsNull(column, key)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class StringAccessor: TypedPropertyAccessor<String> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    var value = wrapper.pointee._stored.take() ?? ""
    cursor.storeText(&value, index, key)
    take(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, value)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class OptionalStringAccessor: TypedPropertyAccessor<String?> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try value.map { try comparer.holds(column, key, $0) }
        ?? comparer.holdsNull(column, key)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class DataAccessor: TypedPropertyAccessor<Data> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class DateAccessor: TypedPropertyAccessor<Date> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    let wrapper = wrapper(object)
    cursor.storeDate(Timestamp(currentValue(wrapper)), index, key)
    handOver(wrapper, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, Timestamp(value))
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class OptionalDateAccessor: TypedPropertyAccessor<Date?> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try value.map { try comparer.holds(column, key, Timestamp($0)) }
        ?? comparer.holdsNull(column, key)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class UUIDAccessor: TypedPropertyAccessor<UUID> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    updateScalar(object, cursor, key, changedOnly: changedOnly) { comparer, column, value in
      try comparer.holds(column, key, value)
    }
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}

final class ObjectIdAccessor: TypedPropertyAccessor<ObjectId> {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    addScalar(object, cursor, key)
  }
  override func storedValue(_ object: UnsafeMutableRawPointer) -> StoredValue { scalarValue(object) }
}
