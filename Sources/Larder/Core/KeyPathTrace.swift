import Foundation
import LarderStorage

/// Turns key paths into property names by applying them to an instance that notes which property is asked for.
public final class _KeyPathTrace {
  /// The record in which the whole trace writes down the path reached last.
  final class Sink {
    fileprivate(set) var names: [String] = []
    private var longest: [String] = []
    /// True if properties were asked for that are not on one path.
    fileprivate(set) var hasSeveral = false
    /// The type of what the key path leads to; nil where that is not known.
    private let end: Any.Type?
    /// True if the key path led to a value of a type of which none can be made.
    private(set) var hasPlaceholder = false

    init(end: Any.Type?) { self.end = end }

    /// Returns true if the key path leads to a value of the type, so that nothing looks into it.
    func takesPlaceholder<Value>(for type: Value.Type) -> Bool {
      guard end == Value.self || end == Value?.self || end == Value??.self else { return false }
      hasPlaceholder = true
      return true
    }

    func note(_ path: [String]) {
      names = path
      if path.starts(with: longest) {
        longest = path
      } else if !longest.starts(with: path) {
        hasSeveral = true
      }
    }
  }

  let names: [String]
  let sink: Sink

  init(names: [String], sink: Sink) {
    self.names = names
    self.sink = sink
    sink.note(names)
  }

  /// The trace of a property of a traced object.
  init(_ object: ObjectBase, property: Int) {
    let model = ModelClass.of(type(of: object))
    let before = object.trace
    names = (before?.names ?? []) + [model.property(property).name]
    sink = before?.sink ?? Sink(end: nil)
    sink.note(names)
  }

  /// Makes a value of the program's own from a traced one: what its initializer reads is not on the path.
  func withoutReads<Value>(_ make: () -> Value) -> Value {
    let hadSeveral = sink.hasSeveral
    defer {
      sink.names = names
      sink.hasSeveral = hadSeveral
    }
    return make()
  }

  /// An instance whose properties go on with this trace.
  func object<T: ObjectBase>(of type: T.Type) -> T {
    let object = type.init()
    let model = ModelClass.of(type)
    for index in 0..<model.offsets.count {
      object.address.storeBytes(
        of: PersistedColumn.traced - Int32(index), toByteOffset: model.offsets[index], as: Int32.self)
    }
    object.trace = self
    return object
  }

  /// Returns a placeholder for a value that the traced key path reads, of a type that refuses the default of its stored type (F-20): memory of the
  /// size that it needs, which nothing but the trace gets to see. Misuse where the key path goes on from there.
  func placeholder<Value>(_ type: Value.Type, at name: String) -> Value {
    guard sink.takesPlaceholder(for: type) else {
      misuse(
        "A key path leads through '\(name)', but \(Value.self) has no value for the default of its stored type to look into. Let the key "
          + "path end there, or give the property a value where it is declared.")
    }
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { place.deallocate() }
    PlaceholderMemory.fill(place)
    return place.move()
  }

  /// Applies a key path to a new traced object.
  private static func follow(_ type: ObjectBase.Type, _ sink: Sink, _ read: (ObjectBase) -> Any?) {
    let place = UnsafeMutablePointer<Any?>.allocate(capacity: 1)
    place.initialize(to: read(_KeyPathTrace(names: [], sink: sink).object(of: type)))
    // A placeholder is no value that could be let go of.
    if !sink.hasPlaceholder { place.deinitialize(count: 1) }
    place.deallocate()
  }

  private static func follow<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> Sink {
    let sink = Sink(end: type(of: keyPath).valueType)
    follow(Root.self, sink) { root in (root as? Root).map { $0[keyPath: keyPath] } }
    return sink
  }

  /// Property names of a key path whose root is known at run time only.
  static func names(of keyPath: AnyKeyPath, from type: ObjectBase.Type) -> [String] {
    let sink = Sink(end: Swift.type(of: keyPath).valueType)
    follow(type, sink) { ($0 as Any)[keyPath: keyPath] }
    return sink.names
  }

  /// Dotted property names of a key path; empty when it leads over something that is not stored.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
    names(of: keyPath).joined(separator: ".")
  }

  /// Dotted property names of the only path that a key path reads; nil when it reads several, empty when none.
  static func onlyName<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    let sink = follow(keyPath)
    return sink.hasSeveral ? nil : sink.names.joined(separator: ".")
  }

  /// Property names of a key path, one by one.
  static func names<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> [String] { follow(keyPath).names }

  /// Names of the properties that a key path reads when it is applied to what is made from an object.
  static func names<Root: ObjectBase, Made>(
    of keyPath: PartialKeyPath<Made>, madeFrom type: Root.Type, _ make: (Root) -> Made
  ) -> [String] {
    let sink = Sink(end: Swift.type(of: keyPath).valueType)
    follow(type, sink) { root in (root as? Root).map { make($0)[keyPath: keyPath] } }
    return sink.names
  }
}

/// The dotted property names of a key path; empty when it leads over something that is not stored.
public func _name<T>(for keyPath: PartialKeyPath<T>) -> String where T: ObjectBase {
  _KeyPathTrace.name(of: keyPath)
}
