import Testing

@testable import LarderStorage

/// The synced objects of a version, by primary keys: what operations must be able to make out of an older version.
struct OperationContents: Equatable {
  indirect enum Value: Equatable {
    case plain(LoggedValue)
    case link(ClassID, primaryKey: StoredValue)
    case object(Object)
    case list([Value])
    /// By the bytes of the keys.
    case map([[UInt8]: Value])
  }

  struct Object: Equatable {
    var link: ObjectLink
    var values: [ColumnID: Value] = [:]
  }

  /// The name of an object elsewhere.
  struct Name: Hashable {
    let classID: ClassID
    let primaryKey: StoredValue
  }

  var objects: [Name: Object] = [:]
  private let schema: StoreSchema

  static func == (left: Self, right: Self) -> Bool { left.objects == right.objects }

  // MARK: - Of a version

  init(_ snapshot: Snapshot) throws {
    schema = snapshot.schema
    for entry in schema.classes where entry.syncMode != .local {
      let column = try #require(entry.primaryKey)
      for number in 0..<snapshot.nextObjectKey(of: entry.id).rawValue {
        let key = ObjectKey(rawValue: number)
        guard try snapshot.contains(entry.id, key) else { continue }
        let name = Name(classID: entry.id, primaryKey: try snapshot.value(entry.id, column.id, key))
        objects[name] = try Self.object(entry, key, snapshot)
      }
    }
  }

  private static func object(_ entry: ClassDescriptor, _ key: ObjectKey, _ snapshot: Snapshot) throws -> Object {
    var result = Object(link: ObjectLink(classID: entry.id, key: key))
    for column in entry.columns where !column.isLocalOnly && !column.isPrimaryKey {
      result.values[column.id] = try value(entry, column, key, snapshot)
    }
    return result
  }

  private static func value(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ snapshot: Snapshot
  ) throws -> Value {
    switch column.collection {
    case .none: return try value(try raw(entry, column, key, snapshot), column, snapshot)
    case .list:
      return .list(try snapshot.list(entry.id, column.id, key).values().map { try value($0, column, snapshot) })
    case .set:
      let elements = try snapshot.list(entry.id, column.id, key).values()
      return .list(sorted(try elements.map { try value($0, column, snapshot) }))
    case .map:
      let map = try snapshot.map(entry.id, column.id, key)
      return .map(
        Dictionary(
          uniqueKeysWithValues: try (0..<map.count).map {
            (Array(try map.key(at: $0).utf8), try value(try map.value(at: $0), column, snapshot))
          }))
    }
  }

  /// Returns the value as it is stored, with links to objects that are not there.
  private static func raw(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ snapshot: Snapshot
  ) throws -> StoredValue {
    let (cluster, slot) = snapshot.locate(key)
    guard let leaf = try snapshot.leaf(entry.id, column.id, cluster: cluster), slot < leaf.count else {
      return .initial(column)
    }
    if leaf.isNull(slot) { return .null }
    if leaf.isLarge(slot) {
      return try StoredValue(bytes: snapshot.largeValue(entry.id, column.id, key), type: column.type)
    }
    return try leaf.value(slot)
  }

  private static func value(_ value: StoredValue, _ column: ColumnDescriptor, _ snapshot: Snapshot) throws -> Value {
    switch value {
    case .link(let key):
      let id = try #require(column.target)
      let target = try #require(snapshot.schema[id])
      if target.isEmbedded { return .object(try object(target, key, snapshot)) }
      return try link(ObjectLink(classID: target.id, key: key), snapshot)
    case .object(let found): return try link(found, snapshot)
    case .list(let list): return .list(try list.map { try self.value($0, column, snapshot) })
    case .dictionary(let entries):
      return .map(
        Dictionary(
          uniqueKeysWithValues: try entries.map { (Array($0.key.utf8), try self.value($0.value, column, snapshot)) }))
    default: return .plain(LoggedValue(value))
    }
  }

  private static func link(_ link: ObjectLink, _ snapshot: Snapshot) throws -> Value {
    let column = try #require(snapshot.schema[link.classID]?.primaryKey)
    guard try snapshot.contains(link.classID, link.key) else {
      return .link(link.classID, primaryKey: try #require(try snapshot.ghost(link), "a ghost without a name"))
    }
    return .link(link.classID, primaryKey: try snapshot.value(link.classID, column.id, link.key))
  }

  fileprivate static func sorted(_ elements: [Value]) -> [Value] {
    elements.sorted { "\($0)" < "\($1)" }
  }
}

/// Applying operations.
extension OperationContents {
  mutating func apply(_ operation: StoreOperation) throws {
    let root = operation.object.root
    let name = Name(classID: root.classID, primaryKey: operation.object.primaryKey)
    let entry = try #require(schema[operation.object.target.classID])
    if operation.object.steps.isEmpty {
      switch operation.change {
      case .delete:
        #expect(objects.removeValue(forKey: name) != nil, "\(name) was deleted and was not there")
        return
      case .create:
        #expect(objects[name] == nil, "\(name) was created and is there")
        objects[name] = Object(link: root)
      default: break
      }
    }
    var object = try #require(objects[name], "an operation on \(name), which is not there: \(operation)")
    try Self.change(&object, operation.object.steps[...]) { try Self.apply(operation, to: &$0, entry) }
    objects[name] = object
  }

  private static func change(
    _ object: inout Object, _ steps: ArraySlice<OperationObject.Step>, _ body: (inout Object) throws -> Void
  ) throws {
    guard let step = steps.first else { return try body(&object) }
    func inner(_ value: Value?) throws -> Value {
      guard case .object(var held)? = value else { throw Failure("no embedded object at \(step)") }
      #expect(held.link == step.object, "another embedded object")
      try change(&held, steps.dropFirst(), body)
      return .object(held)
    }
    switch (step.place, object.values[step.column]) {
    case (.single, let value): object.values[step.column] = try inner(value)
    case (.position(let position), .list(var list)?):
      guard list.indices.contains(position) else { throw Failure("no element \(position)") }
      list[position] = try inner(list[position])
      object.values[step.column] = .list(list)
    case (.key(let key), .map(var map)?):
      map[Array(key.utf8)] = try inner(map[Array(key.utf8)])
      object.values[step.column] = .map(map)
    default: throw Failure("no collection at \(step)")
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private static func apply(_ operation: StoreOperation, to object: inout Object, _ entry: ClassDescriptor) throws {
    switch operation.change {
    case .delete, .everything: throw Failure("unexpected \(operation)")
    case .create(_, let properties):
      for column in entry.columns where column.collection != .none && !column.isLocalOnly {
        object.values[column.id] = column.collection == .map ? .map([:]) : .list([])
      }
      for property in properties { object.values[property.column] = value(property.value) }
    case .set(let column, let new): object.values[column] = value(new)
    case .add(let column, let delta):
      guard case .plain(.value(let old))? = object.values[column] else { throw Failure("no number") }
      object.values[column] = .plain(.value(try StoredValue.sum(old, delta)))
    case .list(let place, let action, let values):
      try edit(&object, place) { collection in
        guard case .list(var list) = collection else { throw Failure("no list") }
        #expect(list.count == operation.sizeBefore, "\(operation)")
        try edit(&list, action, values.map(value))
        collection = .list(list)
      }
    case .insertIntoSet(let column, let values): try editSet(&object, column, operation) { $0 + values.map(value) }
    case .removeFromSet(let column, let values):
      try editSet(&object, column, operation) { elements in elements.filter { !values.map(value).contains($0) } }
    case .clearSet(let column): try editSet(&object, column, operation) { _ in [] }
    case .put(let place, let key, let new):
      try editMap(&object, place, operation) { $0[Array(key.utf8)] = value(new) }
    case .removeKey(let place, let key): try editMap(&object, place, operation) { $0[Array(key.utf8)] = nil }
    case .clearMap(let place): try editMap(&object, place, operation) { $0 = [:] }
    }
  }

  private static func edit(_ list: inout [Value], _ action: ListEdit.Action, _ values: [Value]) throws {
    switch action {
    case .insert(let at, let count):
      try #require(values.count == count)
      list.insert(contentsOf: values, at: at)
    case .remove(let at, let count): list.removeSubrange(at..<at + count)
    case .set(let at, let count):
      try #require(values.count == count)
      list.replaceSubrange(at..<at + count, with: values)
    case .move(let from, let to): list.insert(list.remove(at: from), at: to)
    case .clear: list = []
    }
  }

  private static func editSet(
    _ object: inout Object, _ column: ColumnID, _ operation: StoreOperation, _ body: ([Value]) -> [Value]
  ) throws {
    guard case .list(let elements)? = object.values[column] else { throw Failure("no set") }
    #expect(elements.count == operation.sizeBefore, "\(operation)")
    object.values[column] = .list(sorted(body(elements)))
  }

  private static func editMap(
    _ object: inout Object, _ place: OperationPlace, _ operation: StoreOperation,
    _ body: (inout [[UInt8]: Value]) -> Void
  ) throws {
    try edit(&object, place) { collection in
      guard case .map(var map) = collection else { throw Failure("no map") }
      #expect(map.count == operation.sizeBefore, "\(operation)")
      body(&map)
      collection = .map(map)
    }
  }

  private static func edit(
    _ object: inout Object, _ place: OperationPlace, _ body: (inout Value) throws -> Void
  ) throws {
    func descend(_ value: inout Value, _ path: ArraySlice<MixedStep>) throws {
      guard let step = path.first else { return try body(&value) }
      switch (step, value) {
      case (.position(let position), .list(var list)) where list.indices.contains(position):
        try descend(&list[position], path.dropFirst())
        value = .list(list)
      case (.key(let key), .map(var map)):
        guard var inner = map[Array(key.utf8)] else { throw Failure("no key \(key)") }
        try descend(&inner, path.dropFirst())
        map[Array(key.utf8)] = inner
        value = .map(map)
      default: throw Failure("no collection at \(place)")
      }
    }
    var value = try #require(object.values[place.column])
    try descend(&value, place.path[...])
    object.values[place.column] = value
  }

  private static func value(_ value: OperationValue) -> Value {
    switch value {
    case .plain(let value): .plain(value)
    case .link(let link, let primaryKey): .link(link.classID, primaryKey: primaryKey)
    case .embedded(let link): .object(Object(link: link))
    case .list(let elements): .list(elements.map { Self.value($0) })
    case .dictionary(let entries):
      .map(Dictionary(uniqueKeysWithValues: entries.map { (Array($0.key.utf8), Self.value($0.value)) }))
    }
  }

  /// Returns the difference of two contents.
  func difference(_ other: OperationContents) -> String? {
    for name in Set(objects.keys).union(other.objects.keys) {
      guard let mine = objects[name], let theirs = other.objects[name] else {
        return "\(name): \(objects[name] == nil ? "missing" : "not there")"
      }
      if mine == theirs { continue }
      for column in Set(mine.values.keys).union(theirs.values.keys) where mine.values[column] != theirs.values[column] {
        let property = schema[name.classID]?.column(column)?.name ?? "?"
        return "\(name) \(property): \(String(describing: mine.values[column])) != "
          + String(describing: theirs.values[column])
      }
      return "\(name): another object key"
    }
    return nil
  }
}
