import LarderStorage

// What a program sees of a collection that may link to objects that are not in the store: lists and sets skip them, the values
// of maps are nil (L-8). Only synced classes have such links, so that others pay nothing for looking.

/// The elements of a list or set whose objects are there, at the positions that programs use.
struct PresentElements: SetReading {
  private let base: any ListReading
  /// The places of the elements in the store, by position.
  private let places: [Int]

  /// Looks at every element.
  init(_ base: any ListReading, of classID: ClassID, _ reader: any StoreReader) throws {
    self.base = base
    places = try base.values().enumerated().compactMap { place, value in
      guard case .link(let key) = value else { return nil }
      return try reader.contains(classID, key) ? place : nil
    }
  }

  var count: Int { places.count }
  func value(at position: Int) throws -> StoredValue { try base.value(at: places[position]) }
  func values() throws -> [StoredValue] { try places.map { try base.value(at: $0) } }
  /// They have no chunks; `values()` gives all at once.
  func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {}

  func position(of value: StoredValue) throws -> Int? {
    try (base as? any SetReading)?.position(of: value).flatMap { places.firstIndex(of: $0) }
  }

  /// Returns the place of an element in the store; one after the last for the position after the last.
  func place(of position: Int) -> Int { position < places.count ? places[position] : base.count }
}

/// The values of a map with nil for objects that are not there.
struct PresentValues: MapReading {
  let keys: any ListReading
  let values: any ListReading
  private let base: any MapReading

  init(_ base: any MapReading, of classID: ClassID, _ reader: any StoreReader) throws {
    self.base = base
    keys = base.keys
    values = NestedListReading(
      elements: try base.values.values().map { value in
        guard case .link(let key) = value, try !reader.contains(classID, key) else { return value }
        return .null
      })
  }

  var count: Int { base.count }
  func key(at position: Int) throws -> String { try base.key(at: position) }
  func value(at position: Int) throws -> StoredValue { try values.value(at: position) }
  func position(of key: String) throws -> Int? { try base.position(of: key) }
}

extension CollectionLocation {
  /// The class of the objects that the collection links to, when some may not be there.
  var absentees: ClassID? {
    get throws {
      guard host.store.mayHoldGhosts, let target, try host.reader.hasGhosts(of: target.classID) else { return nil }
      return target.classID
    }
  }

  /// A stored list or set as programs see it.
  func present(_ list: any ListReading) throws -> any ListReading {
    try absentees.map { try PresentElements(list, of: $0, host.reader) } ?? list
  }

  func present(_ set: any SetReading) throws -> any SetReading {
    try absentees.map { try PresentElements(set, of: $0, host.reader) } ?? set
  }

  func present(_ map: any MapReading) throws -> any MapReading {
    try absentees.map { try PresentValues(map, of: $0, host.reader) } ?? map
  }

  /// Returns the place at which the store has the element that programs see at a position of a list.
  func place(of position: Int) throws -> Int {
    if try absentees == nil { return position }
    return try (list() as? PresentElements)?.place(of: position) ?? position
  }

  /// The same for elements in a row: ranges of the store, the last one first.
  func places(of range: Range<Int>) throws -> [Range<Int>] {
    if try absentees == nil { return [range] }
    guard let present = try list() as? PresentElements else { return [range] }
    return range.reversed().map { present.place(of: $0)..<present.place(of: $0) + 1 }
  }
}
