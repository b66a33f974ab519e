/// The values that writes of this process assigned although they were there already: kept in memory until no snapshot is left from before them, for
/// the observers to be notified (N-14). Other processes do not see them, so that this is for stores that no other process reads.
struct UnchangedWrites: Sendable {
  /// With more of them a write makes a version: a snapshot that is held for long must not fill the memory.
  private static let mostWrites = 1_024

  /// The number of such writes since the store was opened.
  private(set) var count: UInt64 = 0
  /// Those after `forgotten`, in order.
  private var writes: [[Assignment]] = []
  private var forgotten: UInt64 { count - UInt64(writes.count) }
  /// The snapshots that live, by the number of writes before them, in order.
  private var holders: [(count: UInt64, snapshots: Int)] = []

  /// Keeps what a write assigned; false when too many are kept already.
  mutating func note(_ assignments: [Assignment]) -> Bool {
    guard writes.count < Self.mostWrites else { return false }
    count += 1
    writes.append(assignments)
    return true
  }

  /// Returns what was assigned between two numbers of writes; nil when that was forgotten.
  func assignments(after first: UInt64, upTo last: UInt64) -> [Assignment]? {
    guard first < last else { return [] }
    guard first >= forgotten, last <= count else { return nil }
    return Array(writes[Int(first - forgotten)..<Int(last - forgotten)].joined())
  }

  /// A snapshot begins to live.
  mutating func hold(_ number: UInt64) {
    let place = holders.lastIndex { $0.count <= number }
    if let place, holders[place].count == number {
      holders[place].snapshots += 1
    } else {
      holders.insert((number, 1), at: place.map { $0 + 1 } ?? 0)
    }
  }

  /// A snapshot ends: what only those from before a write could ask for is forgotten.
  mutating func release(_ number: UInt64) {
    guard let place = holders.firstIndex(where: { $0.count == number }) else { return }
    holders[place].snapshots -= 1
    guard holders[place].snapshots == 0 else { return }
    holders.remove(at: place)
    let oldest = holders.first?.count ?? count
    if oldest > forgotten { writes.removeFirst(Int(min(oldest, count) - forgotten)) }
  }
}
