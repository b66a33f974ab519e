/// The knowledge of a device about a container besides its values: the incarnation, the names of a list's elements, and containers in it.
struct Shadow: Hashable, Sendable {
  enum Slot: Hashable, Sendable {
    case name(SyncText)
    case element(OperationID)
  }

  var incarnation: OperationID
  var kind: Container.Kind
  var children: [Slot: Shadow] = [:]
  var table = SideTable()

  init(_ kind: Container.Kind, _ incarnation: OperationID) {
    self.kind = kind
    self.incarnation = incarnation
  }

  /// Of an object.
  init(_ properties: [SyncProperty]) {
    self.init(.object, .root)
    for property in properties { children[.name(property.name)] = Shadow(property.value) }
  }

  /// Of a value; nil when it is no container.
  init?(_ value: SyncValue) {
    switch value {
    case .embedded(let embedded):
      self.init(embedded.properties)
      incarnation = embedded.incarnation
    case .set(let set): self.init(.set, set.incarnation)
    case .map(let map):
      self.init(.map, map.incarnation)
      for entry in map.entries { children[.name(entry.key)] = Shadow(entry.value) }
    case .list(let list):
      self.init(.list, list.incarnation)
      table = SideTable(list.entries)
      for entry in list.entries { children[.element(entry.element)] = Shadow(entry.value) }
    default: return nil
    }
  }

  /// Goes to the container of a path's slot; nil when the way is not there any more.
  mutating func reach<Value>(
    _ path: SyncPath, _ body: (inout Shadow, Slot, LocalPath) throws -> Value?
  ) rethrows -> Value? {
    try reach(.name(path.property), path.steps[...], LocalPath(path.property), body)
  }

  private mutating func reach<Value>(
    _ slot: Slot, _ steps: ArraySlice<SyncPathStep>, _ local: LocalPath,
    _ body: (inout Shadow, Slot, LocalPath) throws -> Value?
  ) rethrows -> Value? {
    guard let step = steps.first else { return try body(&self, slot, local) }
    guard prepare(slot, step.container, step.kind) else { return nil }
    return try children[slot]!.take(step, local) { child, slot, local in
      try child.reach(slot, steps.dropFirst(), local, body)
    }
  }

  private mutating func take<Value>(
    _ step: SyncPathStep, _ local: LocalPath, _ body: (inout Shadow, Slot, LocalPath) throws -> Value?
  ) rethrows -> Value? {
    switch step {
    case .property(let name, _): return try body(&self, .name(name), local.appending(.property(name)))
    case .key(let key, _): return try body(&self, .name(key), local.appending(.key(key)))
    case .element(let id, _):
      guard let index = table.shownIndex(of: id) else { return nil }
      return try body(&self, .element(id), local.appending(.index(index)))
    }
  }

  /// Returns true if a slot holds an incarnation; a declared collection is there from the beginning.
  private mutating func prepare(_ slot: Slot, _ incarnation: OperationID, _ kind: Container.Kind) -> Bool {
    if children[slot] == nil, incarnation == .root { children[slot] = Shadow(kind, .root) }
    return children[slot]?.incarnation == incarnation && children[slot]?.kind == kind
  }

  /// Goes to a collection.
  mutating func reach<Value>(
    _ path: SyncCollectionPath, _ kind: Container.Kind, _ body: (inout Shadow, LocalPath) throws -> Value?
  ) rethrows -> Value? {
    try reach(path.slot) { container, slot, local in
      guard container.prepare(slot, path.incarnation, kind) else { return nil }
      return try body(&container.children[slot]!, local)
    }
  }

  /// Goes the way of a store, and says what it is in names.
  mutating func reach<Value>(
    _ path: LocalPath, _ body: (inout Shadow, Slot, SyncPath) throws -> Value?
  ) rethrows -> Value? {
    try reach(.name(path.property), path.steps[...], SyncPath(path.property), body)
  }

  private mutating func reach<Value>(
    _ slot: Slot, _ steps: ArraySlice<LocalStep>, _ path: SyncPath,
    _ body: (inout Shadow, Slot, SyncPath) throws -> Value?
  ) rethrows -> Value? {
    guard let step = steps.first else { return try body(&self, slot, path) }
    if children[slot] == nil { children[slot] = Shadow(step.kind, .root) }
    guard children[slot]!.kind == step.kind else { return nil }
    let incarnation = children[slot]!.incarnation
    let next: (Slot, SyncPathStep)
    switch step {
    case .property(let name): next = (.name(name), .property(name, in: incarnation))
    case .key(let key): next = (.name(key), .key(key, in: incarnation))
    case .index(let index):
      guard let entry = children[slot]!.table.shown(at: index) else { return nil }
      next = (.element(entry.element), .element(entry.element, in: incarnation))
    }
    return try children[slot]!.reach(next.0, steps.dropFirst(), path.appending(next.1), body)
  }

  /// Goes the way of a store to a collection.
  mutating func reach<Value>(
    _ path: LocalPath, _ kind: Container.Kind, _ body: (inout Shadow, SyncCollectionPath) throws -> Value?
  ) rethrows -> Value? {
    try reach(path) { container, slot, path in
      // What the server has of a property of the object itself may be of another kind than the store's schema says.
      let isDeclared = path.steps.isEmpty && container.children[slot]?.kind != kind
      if container.children[slot] == nil || isDeclared { container.children[slot] = Shadow(kind, .root) }
      guard container.children[slot]!.kind == kind else { return nil }
      let collection = SyncCollectionPath(path, incarnation: container.children[slot]!.incarnation)
      return try body(&container.children[slot]!, collection)
    }
  }
}

extension LocalStep {
  var kind: Container.Kind {
    switch self {
    case .property: .object
    case .index: .list
    case .key: .map
    }
  }
}
