import LarderSyncProtocol

/// The objects of a device for tests: properties with values and lists of values, without embedded objects and maps.
struct DeviceContent: DeviceStore {
  private(set) var content: [ObjectName: [SyncText: SyncValue]] = [:]

  var objects: [ObjectName] { Array(content.keys) }

  func contains(_ object: ObjectName) -> Bool { content[object] != nil }

  func value(_ object: ObjectName, _ path: LocalPath) -> SyncValue? {
    precondition(path.steps.isEmpty, "properties only")
    return content[object]?[path.property]
  }

  /// The values of a list.
  func list(_ object: ObjectName, _ property: SyncText) -> [SyncValue] {
    guard case .list(let list) = content[object]?[property] else { return [] }
    return list.entries.map(\.value)
  }

  mutating func replace(_ object: ObjectName, with properties: [SyncProperty]?) {
    content[object] = properties.map { Dictionary($0.map { ($0.name, $0.value) }) { $1 } }
  }

  mutating func set(_ object: ObjectName, _ path: LocalPath, _ value: SyncValue) {
    precondition(path.steps.isEmpty, "properties only")
    content[object]?[path.property] = value
  }

  mutating func removeKey(_ key: SyncText, _ object: ObjectName, _ path: LocalPath) {
    preconditionFailure("no maps")
  }

  mutating func setMember(_ value: SyncValue, isPresent: Bool, _ object: ObjectName, _ path: LocalPath) {
    var values: [SyncValue] = []
    if case .set(let set) = content[object]?[path.property] { values = set.values.filter { $0 != value } }
    set(object, path, .set(SyncSet(incarnation: .root, values: isPresent ? values + [value] : values)))
  }

  mutating func removeAll(_ object: ObjectName, _ path: LocalPath) {
    set(object, path, .set(SyncSet(incarnation: .root)))
  }

  mutating func insert(_ values: [SyncValue], at index: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { $0.insert(contentsOf: values, at: index) }
  }

  mutating func remove(at index: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { $0.remove(at: index) }
  }

  mutating func move(from: Int, to: Int, _ object: ObjectName, _ path: LocalPath) {
    edit(object, path) { $0.insert($0.remove(at: from), at: to) }
  }

  private mutating func edit(_ object: ObjectName, _ path: LocalPath, _ body: (inout [SyncValue]) -> Void) {
    var values = list(object, path.property)
    body(&values)
    let entries = values.map { SyncListEntry(element: .root, value: $0) }
    set(object, path, .list(SyncList(incarnation: .root, entries: entries)))
  }

  /// The content in a form that can be compared: values without names, and nothing for properties without a value and lists without elements.
  var shown: [ObjectName: [SyncText: [SyncValue]]] {
    content.mapValues { properties in
      properties.compactMapValues { value in
        switch value {
        case .null: nil
        case .list(let list): list.entries.isEmpty ? nil : list.entries.map(\.value)
        case .set(let set): set.values.isEmpty ? nil : set.values
        default: [value]
        }
      }
    }
  }
}
