@testable import LarderSyncProtocol

/// A store of plain values in memory. Names within values are dropped, so that nothing can depend on them.
struct PlainStore: DeviceStore {
  private(set) var content: [ObjectName: [SyncText: SyncValue]] = [:]

  var objects: [ObjectName] { Array(content.keys) }

  func contains(_ object: ObjectName) -> Bool { content[object] != nil }

  func value(_ object: ObjectName, _ path: LocalPath) -> SyncValue? {
    var value = content[object]?[path.property]
    for step in path.steps { value = value?.child(step) }
    return value
  }

  func count(_ object: ObjectName, _ path: LocalPath) -> Int {
    if case .list(let list) = value(object, path) { list.entries.count } else { 0 }
  }

  mutating func replace(_ object: ObjectName, with properties: [SyncProperty]?) {
    content[object] = properties.map { list in
      Dictionary(list.map { ($0.name, $0.value.plain) }, uniquingKeysWith: { $1 })
    }
  }

  mutating func set(_ object: ObjectName, _ path: LocalPath, _ value: SyncValue) {
    edit(object, path) { $0 = value.plain }
  }

  mutating func removeKey(_ key: SyncText, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path.appending(.key(key))) { $0 = nil }
  }

  mutating func setMember(_ value: SyncValue, isPresent: Bool, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { slot in
      var values: [SyncValue] = []
      if case .set(let set) = slot { values = set.values }
      values.removeAll { $0 == value }
      slot = .set(SyncSet(incarnation: .root, values: isPresent ? values + [value] : values))
    }
  }

  mutating func removeAll(_ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { slot in
      switch slot {
      case .set: slot = .set(SyncSet(incarnation: .root))
      case .map: slot = .map(SyncMap(incarnation: .root))
      default: break
      }
    }
  }

  mutating func insert(_ values: [SyncValue], at index: Int, _ object: ObjectName, _ path: LocalPath) {
    editList(object, path) { $0.insert(contentsOf: values.map { $0.plain }, at: index) }
  }

  mutating func remove(at index: Int, _ object: ObjectName, _ path: LocalPath) {
    editList(object, path) { $0.remove(at: index) }
  }

  mutating func move(from: Int, to: Int, _ object: ObjectName, _ path: LocalPath) {
    editList(object, path) { $0.insert($0.remove(at: from), at: to) }
  }

  private mutating func editList(_ object: ObjectName, _ path: LocalPath, _ body: (inout [SyncValue]) -> Void) {
    edit(object, path) { slot in
      var values: [SyncValue] = []
      if case .list(let list) = slot { values = list.entries.map(\.value) }
      body(&values)
      slot = .list(SyncList(incarnation: .root, entries: values.map { SyncListEntry(element: .root, value: $0) }))
    }
  }

  private mutating func edit(_ object: ObjectName, _ path: LocalPath, _ body: (inout SyncValue?) -> Void) {
    guard content[object] != nil else { return }
    Self.edit(&content[object]![path.property], path.steps[...], body)
  }

  private static func edit(
    _ value: inout SyncValue?, _ steps: ArraySlice<LocalStep>, _ body: (inout SyncValue?) -> Void
  ) {
    guard let step = steps.first else { return body(&value) }
    var child = value?.child(step)
    edit(&child, steps.dropFirst(), body)
    value = (value ?? .map(SyncMap(incarnation: .root))).replacing(step, child)
  }
}

extension SyncValue {
  /// The value without names.
  var plain: SyncValue { renamed { _ in .root } }

  func child(_ step: LocalStep) -> SyncValue? {
    switch (self, step) {
    case (.embedded(let embedded), .property(let name)): embedded.properties.first { $0.name == name }?.value
    case (.list(let list), .index(let index)):
      list.entries.indices.contains(index) ? list.entries[index].value : nil
    case (.map(let map), .key(let key)): map.entries.first { $0.key == key }?.value
    default: nil
    }
  }

  func replacing(_ step: LocalStep, _ child: SyncValue?) -> SyncValue {
    switch (self, step) {
    case (.embedded(let embedded), .property(let name)):
      let rest = embedded.properties.filter { $0.name != name }
      return .embedded(
        SyncEmbedded(incarnation: .root, properties: rest + (child.map { [SyncProperty(name, $0)] } ?? [])))
    case (.list(let list), .index(let index)):
      var entries = list.entries
      if let child, entries.indices.contains(index) { entries[index] = SyncListEntry(element: .root, value: child) }
      return .list(SyncList(incarnation: .root, entries: entries))
    case (.map(let map), .key(let key)):
      let rest = map.entries.filter { $0.key != key }
      return .map(SyncMap(incarnation: .root, entries: rest + (child.map { [SyncMapEntry(key, $0)] } ?? [])))
    default: return self
    }
  }
}

/// Returns the properties that an object shows, to be compared: without names, properties without a value, and declared collections without elements.
func shown(_ properties: some Sequence<SyncProperty>) -> [SyncText: SyncValue] {
  var result: [SyncText: SyncValue] = [:]
  for property in properties {
    if let value = shown(property.value, of: property.name) { result[property.name] = value }
  }
  return result
}

private let declared: Set<SyncText> = ["l", "s", "m", "o"]

private func shown(_ value: SyncValue, of property: SyncText) -> SyncValue? {
  switch value {
  case .null: return nil
  case .list(let list) where declared.contains(property) && list.entries.isEmpty: return nil
  case .set(let set) where declared.contains(property) && set.values.isEmpty: return nil
  case .map(let map) where declared.contains(property) && map.entries.isEmpty: return nil
  default: return comparable(value)
  }
}

private func comparable(_ value: SyncValue) -> SyncValue {
  switch value {
  case .embedded(let embedded):
    let properties = shown(embedded.properties).map { SyncProperty($0.key, $0.value) }
    return .embedded(SyncEmbedded(incarnation: .root, properties: properties))
  case .list(let list):
    let entries = list.entries.map { SyncListEntry(element: .root, value: comparable($0.value)) }
    return .list(SyncList(incarnation: .root, entries: entries))
  case .map(let map):
    return .map(
      SyncMap(incarnation: .root, entries: map.entries.map { SyncMapEntry($0.key, comparable($0.value)) }))
  default: return value.plain
  }
}
