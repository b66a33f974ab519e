import Foundation

/// A type whose values to begin with are made for each object: an identifier, the time.
///
/// Where a builder gives the property a value, the declaration's expression is not evaluated (F-65).
public protocol _UniquelyDefaulted: _Persistable {}

extension UUID: _UniquelyDefaulted {}
extension Date: _UniquelyDefaulted {}
extension ObjectId: _UniquelyDefaulted {}

/// What becomes of such expressions while a thread makes objects.
///
/// An expression is the same for all objects that a class's initialiser makes, so it is kept once for the class, by the accessor that the
/// class's example was made with. Objects of builders then begin without these values, and get those that nothing else gives.
enum DeclaredDefaults {
  /// The expressions of the objects that were made while it was asked to note them.
  private final class Recorder {
    var expressions: [Any] = []
  }

  /// For each thread: nil while values are made at once, `deferring`, or a recorder.
  private static let mode: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()
  private static var deferring: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

  /// Whether values are made at once on this thread.
  static var areImmediate: Bool { mode.map { pthread_getspecific($0) == nil } ?? true }

  static var areDeferred: Bool { mode.map { pthread_getspecific($0) == deferring } ?? false }

  /// Makes an object whose declared values of such types are left out; see `ObjectBase.evaluateDefaults()`.
  static func deferred(_ make: () -> ObjectBase) -> ObjectBase { run(in: deferring, make) }

  /// The same in parts, for initialisers: what is given back is for `end`.
  static func beginDeferring() -> UnsafeMutableRawPointer? {
    guard let mode else { return nil }
    defer { pthread_setspecific(mode, deferring) }
    return pthread_getspecific(mode)
  }

  static func end(_ outer: UnsafeMutableRawPointer?) {
    if let mode { pthread_setspecific(mode, outer) }
  }

  /// Makes an object, noting expressions, and the expressions by their tickets from 1 on.
  static func recorded(_ make: () -> ObjectBase) -> (example: ObjectBase, expressions: [Any]) {
    let recorder = Recorder()
    let example = run(in: Unmanaged.passUnretained(recorder).toOpaque(), make)
    return (example, recorder.expressions)
  }

  private static func run(in wanted: UnsafeMutableRawPointer?, _ make: () -> ObjectBase) -> ObjectBase {
    guard let mode else { return make() }
    let outer = pthread_getspecific(mode)
    pthread_setspecific(mode, wanted)
    defer { end(outer) }
    return make()
  }

  /// The number under which an expression is noted; nil when it is not to be evaluated.
  static func ticket(for expression: Any) -> Int? {
    guard let mode, let current = pthread_getspecific(mode), current != deferring else { return nil }
    let recorder = Unmanaged<Recorder>.fromOpaque(current).takeUnretainedValue()
    recorder.expressions.append(expression)
    return recorder.expressions.count
  }
}

extension ObjectBase {
  /// Evaluates what was left out for this unmanaged object and was not given since.
  @usableFromInline
  final func evaluateDefaults() {
    for property in model.properties { property.accessor.evaluateDefault(address) }
  }
}

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
