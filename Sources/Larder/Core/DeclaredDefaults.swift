import Foundation

/// The handling of the expressions that properties are declared with, while a thread makes objects; see `_UniquelyDefaulted`.
///
/// An expression is the same for all objects that a class's initialiser makes, so it is kept once for the class, by the accessor that the
/// class's example was made with. Objects of builders then begin without these values, and get those that nothing else gives.
enum DeclaredDefaults {
  /// The expressions of the objects that were made while it was asked to note them.
  private final class Recorder {
    var expressions: [Any] = []
  }

  /// For each thread: nil while values are made at once, `deferring`, or a recorder.
  private static let mode = ThreadPointer()
  private static var deferring: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

  /// True if values are made at once on this thread.
  static var areImmediate: Bool { mode.map { $0.value == nil } ?? true }

  static var areDeferred: Bool { mode.map { $0.value == deferring } ?? false }

  /// Makes an object whose declared values of such types are left out; see `ObjectBase.evaluateDefaults()`.
  static func deferred(_ make: () -> ObjectBase) -> ObjectBase { run(in: deferring, make) }

  /// The same in parts, for initialisers: what is given back is for `end`.
  static func beginDeferring() -> UnsafeMutableRawPointer? {
    guard let mode else { return nil }
    defer { mode.set(deferring) }
    return mode.value
  }

  static func end(_ outer: UnsafeMutableRawPointer?) {
    if let mode { mode.set(outer) }
  }

  /// Makes an object, noting expressions, and the expressions by their tickets from 1 on.
  static func recorded(_ make: () -> ObjectBase) -> (example: ObjectBase, expressions: [Any]) {
    let recorder = Recorder()
    let example = run(in: Unmanaged.passUnretained(recorder).toOpaque(), make)
    return (example, recorder.expressions)
  }

  private static func run(in wanted: UnsafeMutableRawPointer?, _ make: () -> ObjectBase) -> ObjectBase {
    guard let mode else { return make() }
    let outer = mode.value
    mode.set(wanted)
    defer { end(outer) }
    return make()
  }

  /// The number under which an expression is noted; nil when it is not to be evaluated.
  static func ticket(for expression: Any) -> Int? {
    guard let mode, let current = mode.value, current != deferring else { return nil }
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
