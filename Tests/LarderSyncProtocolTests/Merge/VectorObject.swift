@testable import LarderSyncProtocol

/// One object on the server, with operations in the order in which they arrive. Elements and places of its list `list` have letters.
struct VectorObject {
  enum Site: UInt64 { case a = 1, b, c }

  var state = ObjectState()
  private(set) var results: [OperationResult] = []
  private var ids: [String: OperationID] = [:]
  private var count: UInt64 = 0
  /// True if edits of an object that is not there are dropped, as they are in uploads.
  var isUpload = false

  static let list = SyncCollectionPath(SyncPath("list"))

  mutating func apply(_ site: Site, _ time: UInt64, _ edit: SyncEdit) {
    if isUpload, !state.accepts(edit) {
      results.append(.noRow)
      return
    }
    results.append(state.merge(edit, stamp: stamp(site, time)).result)
  }

  private func stamp(_ site: Site, _ time: UInt64) -> Stamp {
    Stamp(time: SyncTime(rawValue: time), site: SiteID(high: 0, low: site.rawValue), operation: 0)
  }

  /// A name that no operation has yet.
  mutating func name(_ site: Site) -> OperationID {
    count += 1
    return OperationID(site: SiteID(high: 0, low: site.rawValue), siteVersion: count, operation: 0)
  }

  /// Returns the id that letters name; `-` is the end of the list, `?` a place that the server does not know.
  private func neighbour(_ letters: String) -> OperationID? {
    if letters == "-" { return nil }
    return ids[letters] ?? OperationID(site: SiteID(high: 9, low: 9), siteVersion: 1, operation: 0)
  }

  mutating func create(
    _ site: Site, _ time: UInt64, _ values: [SyncText: Int64], default defaults: [SyncText: Int64] = [:]
  ) {
    let explicit = values.map { CreatedProperty($0, .int($1)) }
    let rest = defaults.map { CreatedProperty($0, .int($1), rank: .byDefault) }
    apply(site, time, .create(explicit + rest))
  }

  mutating func set(_ site: Site, _ time: UInt64, _ property: SyncText, _ value: SyncValue) {
    apply(site, time, .set(SyncPath(property), value))
  }

  mutating func create(_ site: Site, _ time: UInt64, decimal: SyncDecimal, rank: ValueRank = .explicit) {
    apply(site, time, .create([CreatedProperty("d", .decimal(decimal), rank: rank)]))
  }

  mutating func add(_ site: Site, _ time: UInt64, _ delta: Int64) {
    apply(site, time, .add(SyncPath("c"), .int(delta)))
  }

  mutating func add(_ site: Site, _ time: UInt64, _ delta: SyncDecimal) {
    apply(site, time, .add(SyncPath("d"), .decimal(delta)))
  }

  mutating func insert(
    _ site: Site, _ time: UInt64, _ left: String, _ right: String, _ letters: String,
    in list: SyncCollectionPath = list
  ) {
    let first = name(site)
    let run = OperationIDRun(first: first, count: UInt32(letters.count))!
    for (letter, id) in zip(letters, run.ids) { ids[String(letter)] = id }
    let values = letters.map { SyncValue.string(SyncText(String($0))) }
    apply(
      site, time, .listInsert(list, values, first: first, left: neighbour(left), right: neighbour(right)))
  }

  mutating func move(
    _ site: Site, _ time: UInt64, _ letter: String, _ left: String, _ right: String, as position: String = ""
  ) {
    let id = name(site)
    if !position.isEmpty { ids[position] = id }
    apply(
      site, time,
      .listMove(Self.list, ids[letter]!, position: id, left: neighbour(left), right: neighbour(right)))
  }

  mutating func remove(_ site: Site, _ time: UInt64, _ letters: String) {
    let named = letters.compactMap { ids[String($0)] }
    apply(site, time, .listRemove(Self.list, OperationIDRun.runs(of: named)))
  }

  mutating func setElement(_ site: Site, _ time: UInt64, _ letter: String, _ value: SyncText) {
    apply(site, time, .set(SyncPath("list", [.element(ids[letter]!, in: .root)]), .string(value)))
  }

  /// The texts of a list, one after the other.
  func text(_ property: SyncText = "list") -> String {
    guard case .list(let list) = state.value(of: property) else { return "" }
    return list.entries.map { entry in
      switch entry.value {
      case .string(let text): text.string
      case .int(let number): String(number)
      default: "?"
      }
    }.joined()
  }

  func int(_ property: SyncText) -> Int64? {
    if case .int(let value) = state.value(of: property) { value } else { nil }
  }
}
