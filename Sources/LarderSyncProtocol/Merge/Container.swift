/// An object's properties, or the content of a list, set or map, as the server keeps it.
struct Container: Sendable {
  enum Kind: UInt8, Sendable { case object, list, set, map }

  /// A property or a key with its slot.
  struct Entry: Sendable {
    var name: SyncText
    var slot: MergeSlot
  }

  struct Member: Sendable {
    var value: SyncValue
    var stamp: Stamp
    var isPresent: Bool
  }

  var kind: Kind
  var incarnation: OperationID
  /// Of an object and of a map, sorted by name.
  var entries: [Entry] = []
  var members: [Member] = []
  /// Of a set and of a map: what is older was cleared.
  var cleared = Stamp.zero
  var list = ListTree()

  init(_ kind: Kind, _ incarnation: OperationID) {
    self.kind = kind
    self.incarnation = incarnation
  }

  /// The container that a value is, with all its content of one stamp; nil for a value without content.
  init?(_ value: SyncValue, stamp: Stamp) {
    switch value {
    case .embedded(let embedded):
      self.init(.object, embedded.incarnation)
      entries = embedded.properties.map { Entry(name: $0.name, slot: Self.slot($0.value, stamp: stamp)) }
    case .map(let map):
      self.init(.map, map.incarnation)
      entries = map.entries.map { Entry(name: $0.key, slot: Self.slot($0.value, stamp: stamp)) }
    case .set(let set):
      self.init(.set, set.incarnation)
      let values = set.values.map(\.asSetElement).sortedAndUnique { $0 }
      members = values.map { Member(value: $0, stamp: stamp, isPresent: true) }
    case .list(let list):
      self.init(.list, list.incarnation)
      self.list.append(list.entries, stamp: stamp)
    default: return nil
    }
  }

  private static func slot(_ value: SyncValue, stamp: Stamp) -> MergeSlot {
    guard value.incarnation == .root, let container = Container(value, stamp: stamp) else {
      return MergeSlot(Written(stamp, value))
    }
    var slot = MergeSlot()
    slot.fixed = [container]
    return slot
  }

  /// The index of an entry, or where it would go.
  func find(_ name: SyncText) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return (low, low < entries.count && entries[low].name == name)
  }

  /// The index of an entry, which is made when it is missing.
  mutating func index(of name: SyncText) -> Int {
    let (index, isThere) = find(name)
    if !isThere { entries.insert(Entry(name: name, slot: MergeSlot()), at: index) }
    return index
  }

  /// The stamp that content must be newer than to be seen.
  func limit(_ floor: Stamp) -> Stamp { max(cleared, floor) }

  /// Returns true if nothing in it can be seen.
  func isEmpty(above floor: Stamp) -> Bool {
    switch kind {
    case .object: false
    case .map: !entries.contains { $0.slot.image(above: limit(floor)) != nil }
    case .set: !members.contains { $0.isPresent && $0.stamp > limit(floor) }
    case .list: !list.elements.indices.contains { list.isAlive($0, above: floor) }
    }
  }

  func image(above floor: Stamp) -> SyncValue {
    switch kind {
    case .object: .embedded(SyncEmbedded(incarnation: incarnation, properties: properties(above: floor)))
    case .map: .map(SyncMap(incarnation: incarnation, entries: mapEntries(above: limit(floor))))
    case .set:
      .set(
        SyncSet(
          incarnation: incarnation, values: members.filter { $0.isPresent && $0.stamp > limit(floor) }.map(\.value)))
    case .list: .list(SyncList(incarnation: incarnation, entries: list.entries(above: floor)))
    }
  }

  /// Returns the properties that an object shows, without declared collections that are empty.
  func properties(above floor: Stamp) -> [SyncProperty] {
    entries.compactMap { entry in
      if let fixed = entry.slot.fixed.first, fixed.isEmpty(above: floor) { return nil }
      return entry.slot.image(above: floor).map { SyncProperty(entry.name, $0) }
    }
  }

  private func mapEntries(above floor: Stamp) -> [SyncMapEntry] {
    entries.compactMap { entry in entry.slot.image(above: floor).map { SyncMapEntry(entry.name, $0) } }
  }
}
