import Foundation

/// A type whose values to begin with are made for each object: an identifier, the time.
///
/// Where a builder gives the property a value, the declaration's expression is not evaluated (F-65).
public protocol _UniquelyDefaulted: _Persistable {}

extension UUID: _UniquelyDefaulted {}
extension Date: _UniquelyDefaulted {}
extension ObjectId: _UniquelyDefaulted {}

extension Persisted where Value: _UniquelyDefaulted {
  /// The value that new objects begin with; evaluated for each object that nothing else gives a value.
  @inlinable @inline(__always)
  public init(wrappedValue value: @autoclosure @escaping () -> Value) {
    self.init(declared: value)
  }

  @usableFromInline
  init(declared expression: @escaping () -> Value) {
    _flags = 0
    if DeclaredDefaults.areImmediate {
      _column = PersistedColumn.defaulted
      _stored = expression()
    } else if let ticket = DeclaredDefaults.ticket(for: expression) {
      _flags = UInt32(truncatingIfNeeded: ticket) << PersistedFlag.ticketShift
      _column = PersistedColumn.defaulted
      _stored = expression()
    } else {
      _column = PersistedColumn.deferred
      _stored = nil
    }
  }
}

extension Persisted where Value: _UniquelyDefaulted, Value.PersistedType: _PrimaryKey {
  /// The primary key, with a value that new objects begin with; evaluated for each object that nothing else gives one.
  @inlinable
  public init(wrappedValue value: @autoclosure @escaping () -> Value, primaryKey: Bool) {
    self.init(declared: value)
    if primaryKey { _flags |= PersistedFlag.primaryKey }
  }
}

extension Persisted where Value: _UniquelyDefaulted, Value.PersistedType: _Indexable {
  /// A value that new objects begin with, evaluated for each that nothing else gives one, with or without an index.
  @inlinable
  public init(wrappedValue value: @autoclosure @escaping () -> Value, indexed: Bool) {
    self.init(declared: value)
    if indexed { _flags |= PersistedFlag.indexed }
  }

  /// The same, with an index of some kind.
  @inlinable
  public init(wrappedValue value: @autoclosure @escaping () -> Value, indexed: IndexType) {
    self.init(declared: value)
    _flags |= PersistedFlag.flags(indexed)
  }
}
