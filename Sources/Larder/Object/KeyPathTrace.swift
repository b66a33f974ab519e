import LarderStorage

/// Turns key paths into property names by applying them to an instance that notes which property is asked for.
public final class _KeyPathTrace {
  /// Where the whole trace writes down the path reached last.
  final class Sink {
    fileprivate(set) var names: [String] = []
    private var longest: [String] = []
    /// Whether properties were asked for that do not lie on one path.
    fileprivate(set) var hasSeveral = false

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
    sink = before?.sink ?? Sink()
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

  /// The same for a key path whose root is known at run time only.
  static func name(of keyPath: AnyKeyPath, from type: ObjectBase.Type) -> String {
    let sink = Sink()
    let root = _KeyPathTrace(names: [], sink: sink).object(of: type)
    _ = root[keyPath: keyPath]
    return sink.names.joined(separator: ".")
  }

  /// Dotted property names of a key path; empty when it leads over something that is not stored.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
    names(of: keyPath).joined(separator: ".")
  }

  /// Dotted property names of the only path that a key path reads; nil when it reads several, empty when none.
  static func onlyName<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    let sink = Sink()
    _ = _KeyPathTrace(names: [], sink: sink).object(of: Root.self)[keyPath: keyPath]
    return sink.hasSeveral ? nil : sink.names.joined(separator: ".")
  }

  /// Property names of a key path, one by one.
  static func names<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> [String] {
    names(of: Root.self) { _ = $0[keyPath: keyPath] }
  }

  /// Names of the properties that something asks an object for, one after the other.
  static func names<Root: ObjectBase>(of type: Root.Type, _ body: (Root) -> Void) -> [String] {
    let sink = Sink()
    body(_KeyPathTrace(names: [], sink: sink).object(of: type))
    return sink.names
  }
}

/// The dotted property names of a key path; empty when it leads over something that is not stored.
public func _name<T>(for keyPath: PartialKeyPath<T>) -> String where T: ObjectBase {
  _KeyPathTrace.name(of: keyPath)
}
