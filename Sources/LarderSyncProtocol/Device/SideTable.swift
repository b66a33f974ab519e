/// The names of the elements of a list on a device, in order, beside the list itself.
///
/// An entry is a place. It is *base* when the server has it, else it belongs to a change that the server has not merged yet. An element may
/// have a base entry and, while moves of it wait, entries for those; at most one of them is shown, and none while a removal waits. Entries
/// whose names follow each other are one run, so that a list which was inserted at once takes the room of one.
struct SideTable: Hashable, Sendable {
  struct Entry: Hashable {
    var position: OperationID
    var element: OperationID
    var isBase: Bool
    var isShown: Bool
  }

  struct Run: Hashable, Sendable {
    var position: OperationID
    var element: OperationID
    var count: UInt32
    var isBase: Bool
    var isShown: Bool

    func entry(_ offset: UInt32) -> Entry {
      Entry(
        position: position.later(by: offset), element: element.later(by: offset), isBase: isBase, isShown: isShown)
    }

    func offset(ofPosition id: OperationID) -> UInt32? { position.distance(to: id, below: count) }

    func offset(ofElement id: OperationID) -> UInt32? { element.distance(to: id, below: count) }
  }

  private(set) var runs: [Run] = []
  /// Elements that waiting changes remove.
  private(set) var removed: Set<OperationID> = []
  /// Places that waiting moves give an element; the last one counts.
  private(set) var moves: [OperationID: [OperationID]] = [:]

  init() {}

  /// A table of its parts.
  init(runs: [Run], removed: Set<OperationID>, moves: [OperationID: [OperationID]]) {
    self.runs = runs
    self.removed = removed
    self.moves = moves
  }

  /// The table of a list that the server sent.
  init(_ entries: [SyncListEntry]) {
    for entry in entries {
      append(Run(position: entry.position, element: entry.element, count: 1, isBase: true, isShown: true))
    }
  }

  private mutating func append(_ run: Run) {
    guard run.count > 0 else { return }
    if let last = runs.last, last.isFollowed(by: run) {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }

  var shownCount: Int { runs.reduce(0) { $1.isShown ? $0 + Int($1.count) : $0 } }

  /// All entries in order.
  var entries: [Entry] { runs.flatMap { run in (0..<run.count).map { run.entry($0) } } }

  /// The shown entry at a position of the list.
  func shown(at index: Int) -> Entry? {
    var rest = index
    for run in runs where run.isShown {
      if rest < Int(run.count) { return rest < 0 ? nil : run.entry(UInt32(rest)) }
      rest -= Int(run.count)
    }
    return nil
  }

  /// The position in the list of an element; nil while it is hidden or not known.
  func shownIndex(of element: OperationID) -> Int? {
    var before = 0
    for run in runs where run.isShown {
      if let offset = run.offset(ofElement: element) { return before + Int(offset) }
      before += Int(run.count)
    }
    return nil
  }

  func contains(position: OperationID) -> Bool { runs.contains { $0.offset(ofPosition: position) != nil } }

  func contains(element: OperationID) -> Bool { runs.contains { $0.offset(ofElement: element) != nil } }

  /// Returns the number of elements that are shown before a run.
  func shownCount(before run: Int) -> Int {
    runs[..<run].reduce(0) { $1.isShown ? $0 + Int($1.count) : $0 }
  }

  /// The base entry before a place, shown or not.
  func baseBefore(_ position: OperationID) -> OperationID? {
    guard let found = runs.firstIndex(where: { $0.offset(ofPosition: position) != nil }) else { return nil }
    let offset = runs[found].offset(ofPosition: position)!
    if offset > 0, runs[found].isBase { return runs[found].entry(offset - 1).position }
    guard let run = runs[..<found].last(where: \.isBase) else { return nil }
    return run.entry(run.count - 1).position
  }

  // Changes. Each leaves the runs as few as can be.

  /// Cuts so that a run begins with a place, and returns its index.
  private mutating func cut(before position: OperationID) -> Int? {
    guard let run = runs.firstIndex(where: { $0.offset(ofPosition: position) != nil }) else { return nil }
    let offset = runs[run].offset(ofPosition: position)!
    return offset == 0 ? run : split(run, offset)
  }

  /// The index of the run after a place, which ends its own run; nil is before all.
  private mutating func cut(after position: OperationID?) -> Int? {
    guard let position else { return 0 }
    guard let run = runs.firstIndex(where: { $0.offset(ofPosition: position) != nil }) else { return nil }
    let offset = runs[run].offset(ofPosition: position)! + 1
    return offset == runs[run].count ? run + 1 : split(run, offset)
  }

  private mutating func split(_ run: Int, _ offset: UInt32) -> Int {
    var rest = runs[run]
    rest.position = rest.position.later(by: offset)
    rest.element = rest.element.later(by: offset)
    rest.count -= offset
    runs[run].count = offset
    runs.insert(rest, at: run + 1)
    return run + 1
  }

  private mutating func join() {
    let all = runs
    runs = []
    runs.reserveCapacity(all.count)
    for run in all { append(run) }
  }

  /// The first place after another one that does not wait: where what the server inserts goes if waiting entries come before it.
  private func afterWaiting(_ run: Int) -> Int {
    runs[run...].firstIndex(where: \.isBase) ?? runs.count
  }

  /// Inserts entries after a place, nil for before all; false when the place is not known.
  ///
  /// `passes` is asked, when waiting entries come next, whether the new ones go after those.
  mutating func insert(
    _ first: OperationID, element: OperationID, count: UInt32, isBase: Bool, after left: OperationID?,
    passes: (OperationID) -> Bool = { _ in false }
  ) -> Bool {
    guard var index = cut(after: left) else { return false }
    if index < runs.count, !runs[index].isBase, passes(runs[index].position) { index = afterWaiting(index) }
    runs.insert(Run(position: first, element: element, count: count, isBase: isBase, isShown: true), at: index)
    join()
    return true
  }

  /// Notes a waiting move of an element, whose new entry is in the table.
  mutating func addMove(of element: OperationID, to position: OperationID) {
    moves[element, default: []].append(position)
    show(element)
  }

  mutating func removeMove(of element: OperationID, to position: OperationID) {
    moves[element]?.removeAll { $0 == position }
    if moves[element]?.isEmpty == true { moves[element] = nil }
  }

  /// Notes a waiting removal.
  mutating func hide(_ element: OperationID) {
    removed.insert(element)
    show(element)
  }

  /// Forgets an element.
  mutating func drop(_ element: OperationID) {
    isolate(element)
    runs.removeAll { $0.offset(ofElement: element) != nil }
    removed.remove(element)
    moves[element] = nil
    join()
  }

  /// Forgets the base entry of an element.
  mutating func dropBase(of element: OperationID) {
    isolate(element)
    runs.removeAll { $0.isBase && $0.offset(ofElement: element) != nil }
    join()
  }

  /// Forgets where an element was, and keeps one place and those that waiting moves give it.
  mutating func drop(_ element: OperationID, exceptFor position: OperationID) {
    isolate(element)
    let kept = [position] + (moves[element] ?? [])
    runs.removeAll { $0.offset(ofElement: element) != nil && !kept.contains($0.position) }
    join()
  }

  /// Forgets one place.
  mutating func drop(position: OperationID) {
    guard let run = cut(before: position), cut(after: position) != nil else { return }
    runs.remove(at: run)
    join()
  }

  /// Makes entries base that the server has merged.
  mutating func settle(_ first: OperationID, count: UInt32) {
    let all = runs
    runs = []
    for run in all {
      let named = run.offsets(ofPositions: first, count: count)
      append(run.part(0..<named.lowerBound))
      var settled = run.part(named)
      settled.isBase = true
      append(settled)
      append(run.part(named.upperBound..<run.count))
    }
  }

  /// Puts the entries of an operation directly after a place, nil for before all. Others that are among them stay where they are: they wait,
  /// and keep their order.
  mutating func move(_ first: OperationID, count: UInt32, after left: OperationID?) {
    guard left.map(contains(position:)) ?? true, cut(before: first) != nil,
      cut(after: first.later(by: count - 1)) != nil
    else { return }
    let moved = runs.filter { first.distance(to: $0.position, below: count) != nil }
    runs.removeAll { first.distance(to: $0.position, below: count) != nil }
    if let index = cut(after: left) { runs.insert(contentsOf: moved, at: index) }
    join()
  }

  /// Computes which entry of an element is shown.
  mutating func show(_ element: OperationID) {
    isolate(element)
    let wanted = moves[element]?.last
    let isRemoved = removed.contains(element)
    for index in runs.indices where runs[index].offset(ofElement: element) != nil {
      let isPlace = wanted.map { runs[index].position == $0 } ?? true
      runs[index].isShown = isPlace && !isRemoved
    }
    join()
  }

  /// Cuts so that every entry of an element is a run of its own.
  private mutating func isolate(_ element: OperationID) {
    for run in runs.indices.reversed() {
      guard let offset = runs[run].offset(ofElement: element) else { continue }
      let start = offset == 0 ? run : split(run, offset)
      if runs[start].count > 1 { _ = split(start, 1) }
    }
  }
}

extension SideTable.Run {
  /// The offsets of the places that are among those of an operation, beginning with one; empty when none is.
  fileprivate func offsets(ofPositions first: OperationID, count named: UInt32) -> Range<UInt32> {
    if let start = position.distance(to: first, below: count) { return start..<start + min(named, count - start) }
    guard let before = first.distance(to: position, below: named) else { return 0..<0 }
    return 0..<min(named - before, count)
  }

  /// The run of some of its entries.
  fileprivate func part(_ offsets: Range<UInt32>) -> Self {
    var part = self
    part.position = position.later(by: offsets.lowerBound)
    part.element = element.later(by: offsets.lowerBound)
    part.count = UInt32(offsets.count)
    return part
  }

  func isFollowed(by next: Self) -> Bool {
    isBase == next.isBase && isShown == next.isShown && count < .max - next.count
      && position.later(by: count) == next.position && element.later(by: count) == next.element
  }
}

extension OperationID {
  /// The name some places later, which a run has checked to be there.
  func later(by count: UInt32) -> OperationID {
    OperationID(site: site, siteVersion: siteVersion, operation: operation, index: index &+ count)
  }

  /// Returns the distance to a later name of the same operation, when that is less than a count; nil otherwise.
  func distance(to other: OperationID, below count: UInt32) -> UInt32? {
    guard other.index >= index, other.index - index < count, other.operation == operation,
      other.siteVersion == siteVersion, other.site == site
    else { return nil }
    return other.index - index
  }
}

extension SideTable {
  /// The table with other names.
  func renamed(_ name: (OperationID) -> OperationID) -> SideTable {
    var table = SideTable()
    for run in runs {
      // A run is of one operation, whose names are all changed alike.
      var renamed = run
      renamed.position = name(run.position)
      renamed.element = name(run.element)
      table.runs.append(renamed)
    }
    table.removed = Set(removed.map(name))
    for (element, positions) in moves { table.moves[name(element)] = positions.map(name) }
    return table
  }
}
