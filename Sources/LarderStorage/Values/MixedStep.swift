/// One step from a property to a collection within its mixed values: into an element of a list, or a key of a dictionary.
public enum MixedStep: Sendable, Hashable {
  case position(Int)
  case key(String)

  /// Keys are equal when their bytes are.
  public static func == (lhs: MixedStep, rhs: MixedStep) -> Bool {
    switch (lhs, rhs) {
    case (.position(let a), .position(let b)): a == b
    case (.key(let a), .key(let b)): StoredOrder.compare(a, b) == 0
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .position(let position): hasher.combine(position)
    case .key(let key): StoredValue.string(key).hash(into: &hasher)
    }
  }
}

extension StoredValue {
  /// The id of a stored list or dictionary; nil for other values.
  package var collectionID: UInt64? {
    switch self {
    case .list(let list): list.id
    case .dictionary(let entries): entries.id
    default: nil
    }
  }

  /// Returns the value a step further; nil when there is none.
  package func child(_ step: MixedStep) -> StoredValue? {
    switch (self, step) {
    case (.list(let list), .position(let position)): list.indices.contains(position) ? list[position] : nil
    case (.dictionary(let entries), .key(let key)): entries[key]
    default: nil
    }
  }

  /// Returns the value at the end of a path; nil when there is none.
  package func child(at path: ArraySlice<MixedStep>) -> StoredValue? {
    path.reduce(self) { value, step in value?.child(step) }
  }

  /// The path from here to the list or dictionary with an id.
  package func path(toCollection id: UInt64) -> [MixedStep]? {
    if collectionID == id { return [] }
    switch self {
    case .list(let list):
      for (position, element) in list.enumerated() {
        if let rest = element.path(toCollection: id) { return [.position(position)] + rest }
      }
    case .dictionary(let entries):
      for entry in entries {
        if let rest = entry.value.path(toCollection: id) { return [.key(entry.key)] + rest }
      }
    default: break
    }
    return nil
  }

  /// This value with what is at the end of a path replaced by what `body` makes of it; nil when nothing is there.
  func replacing(
    _ path: ArraySlice<MixedStep>, _ body: (StoredValue) throws -> StoredValue
  ) rethrows -> StoredValue? {
    guard let step = path.first else { return try body(self) }
    guard let changed = try child(step)?.replacing(path.dropFirst(), body) else { return nil }
    switch (self, step) {
    case (.list(var list), .position(let position)):
      list.elements[position] = changed
      return .list(list)
    case (.dictionary(var entries), .key(let key)):
      entries[key] = changed
      return .dictionary(entries)
    default: return nil
    }
  }

  /// Paths to the links for which `isWanted` holds.
  func paths(where isWanted: (ObjectLink) -> Bool) -> [[MixedStep]] {
    switch self {
    case .object(let found): isWanted(found) ? [[]] : []
    case .list(let list):
      list.enumerated().flatMap { position, element in
        element.paths(where: isWanted).map { [.position(position)] + $0 }
      }
    case .dictionary(let entries):
      entries.flatMap { entry in entry.value.paths(where: isWanted).map { [.key(entry.key)] + $0 } }
    default: []
    }
  }

  /// The same value whose lists and dictionaries have ids of their own.
  func withIDs(_ next: () -> UInt64) -> StoredValue {
    switch self {
    case .list(var list):
      list.id = next()
      list.elements = list.elements.map { $0.withIDs(next) }
      return .list(list)
    case .dictionary(let entries):
      var made = entries.mapValues { $0.withIDs(next) }
      made.id = next()
      return .dictionary(made)
    default: return self
    }
  }
}
