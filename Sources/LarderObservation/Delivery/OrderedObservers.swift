/// Observers in order of registration, found by their numbers. Ending one leaves a gap; gaps are closed when they are the larger part, so
/// that ending all, in any order, costs what there were.
struct OrderedObservers: Sendable, Sequence {
  private var ids: [Int] = []
  private var slots: [Registration?] = []
  private(set) var count = 0

  /// Observers and gaps.
  var slotCount: Int { slots.count }
  var isEmpty: Bool { count == 0 }

  func makeIterator() -> some IteratorProtocol<Registration> { slots.lazy.compactMap { $0 }.makeIterator() }

  subscript(id: Int) -> Registration? { place(of: id).flatMap { slots[$0] } }

  /// Changes one; nil when it is not there.
  mutating func update<Result>(_ id: Int, _ change: (inout Registration) -> Result) -> Result? {
    guard let place = place(of: id) else { return nil }
    return update(at: place, change)
  }

  mutating func updateEach(_ change: (inout Registration) -> Void) {
    for place in slots.indices { _ = update(at: place, change) }
  }

  private mutating func update<Result>(at place: Int, _ change: (inout Registration) -> Result) -> Result? {
    guard var registration = slots[place].take() else { return nil }
    defer { slots[place] = registration }
    return change(&registration)
  }

  mutating func add(_ registration: Registration) {
    let isLast = ids.last.map { $0 < registration.id } ?? true
    ids.append(registration.id)
    slots.append(registration)
    count += 1
    if !isLast { order() }
  }

  mutating func add(_ registrations: [Registration]) {
    guard !registrations.isEmpty else { return }
    ids += registrations.map(\.id)
    slots += registrations
    count += registrations.count
    order()
  }

  private mutating func order() {
    let ordered = compactMap { $0 }.sorted { $0.id < $1.id }
    ids = ordered.map(\.id)
    slots = ordered
  }

  mutating func remove(_ id: Int) -> Registration? {
    guard let place = place(of: id), let removed = slots[place].take() else { return nil }
    count -= 1
    if count < slots.count / 2 { removeAll { _ in false } }
    return removed
  }

  /// Removes those of which something holds, and all gaps.
  mutating func removeAll(where isRemoved: (Registration) -> Bool) {
    let kept = filter { !isRemoved($0) }
    ids = kept.map(\.id)
    slots = kept
    count = kept.count
  }

  private func place(of id: Int) -> Int? {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? low : nil
  }
}
