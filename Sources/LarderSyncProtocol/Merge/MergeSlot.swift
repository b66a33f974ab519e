/// The content that was written to a slot, with its stamp. Neither a value nor contents: the key was removed.
struct Written: Sendable {
  var stamp: Stamp
  var value: SyncValue?
  /// One container or none: an array, because a container contains slots.
  var contents: [Container] = []

  var isAbsent: Bool { value == nil && contents.isEmpty }

  init(_ stamp: Stamp, _ new: SyncValue?) {
    self.stamp = stamp
    if let new, let container = Container(new, stamp: stamp) { contents = [container] } else { value = new }
  }
}

/// A place for a value: a property, an element of a list, or a key of a map (MR-7, MR-8).
struct MergeSlot: Sendable {
  struct Add: Sendable {
    var stamp: Stamp
    var delta: SyncDelta
  }

  struct Ranked: Sendable {
    var rank: ValueRank
    var written: Written
  }

  var explicit: Written?
  /// The newest assignment: adds that are not newer do not count. It is older than the explicit value where a creation gave that.
  private(set) var assigned = Stamp.zero
  /// Defaults and values from before synchronisation, one of each rank at most.
  var lower: [Ranked] = []
  /// The adds in the order of their stamps: sums of decimals are rounded.
  private(set) var adds: [Add] = []
  /// The collection of a property that is declared as one; an array of one or none.
  var fixed: [Container] = []

  init(_ written: Written? = nil) {
    explicit = written
    assigned = written?.stamp ?? .zero
  }

  /// A slot as it was kept, with what counts as its newest assignment.
  init(_ written: Written?, assigned: Stamp) {
    explicit = written
    self.assigned = assigned
  }

  /// Returns the content that counts: the explicit value if it is newer than `floor`, else the one of the highest rank that is.
  func effective(above floor: Stamp) -> Written? {
    if let explicit, explicit.stamp > floor { return explicit }
    var best: Ranked?
    for candidate in lower where candidate.written.stamp > floor {
      if best.map({ $0.rank < candidate.rank }) ?? true { best = candidate }
    }
    return best?.written
  }

  /// The value with what was added; nil when there is none or a container.
  func total(above floor: Stamp) -> SyncValue? {
    guard let value = effective(above: floor)?.value else { return nil }
    return adds.reduce(value) { sum, add in
      counts(add.stamp, above: floor) ? sum.adding(add.delta) ?? sum : sum
    }
  }

  /// Returns true if an add of that stamp counts.
  func counts(_ stamp: Stamp, above floor: Stamp) -> Bool {
    stamp > floor && stamp > assigned
  }

  /// Notes what is added.
  mutating func add(_ add: Add) {
    let index = adds.lastIndex { $0.stamp < add.stamp }.map { $0 + 1 } ?? 0
    adds.insert(add, at: index)
  }

  /// Joins the adds that count, as far as that does not show: sums of decimals are rounded, so that they may have to stay apart.
  mutating func foldAdds(above floor: Stamp) {
    guard !adds.isEmpty else { return }
    let shown = total(above: floor)
    let counting = adds.filter { counts($0.stamp, above: floor) }
    adds = Self.folded(counting)
    if total(above: floor) != shown { adds = counting }
  }

  /// One add for each type of number.
  private static func folded(_ adds: [Add]) -> [Add] {
    var sums: [Add] = []
    for add in adds {
      let index = sums.firstIndex { $0.delta.adding(add.delta) != nil }
      guard let index, let sum = sums[index].delta.adding(add.delta) else {
        sums.append(add)
        continue
      }
      sums.remove(at: index)
      sums.append(Add(stamp: add.stamp, delta: sum))
    }
    return sums
  }

  /// Assigns an explicit value; false when a newer one is there. Adds that are older do not count any more, whichever value is newer.
  mutating func write(_ written: Written) -> Bool {
    if written.stamp > assigned {
      assigned = written.stamp
      if !adds.isEmpty { adds.removeAll { $0.stamp < written.stamp } }
    }
    return replace(with: written)
  }

  /// Gives a new object's value, unless a newer one is there. Its author knows nothing of what others add to the same object, so that all adds
  /// go on to count (MR-8).
  mutating func create(_ written: Written, _ research: ResearchRules) {
    if research.contains(.creationsVoidAdds) {
      _ = write(written)
    } else {
      _ = replace(with: written)
    }
  }

  private mutating func replace(with written: Written) -> Bool {
    if let explicit, explicit.stamp >= written.stamp { return false }
    explicit = written
    return true
  }

  /// Forgets an explicit value that is not seen, and an assignment that is void.
  mutating func trimExplicit(above floor: Stamp) {
    if let explicit, explicit.stamp <= floor || explicit.isAbsent { self.explicit = nil }
    if explicit == nil || assigned <= floor { assigned = .zero }
  }

  mutating func writeLower(_ written: Written, rank: ValueRank, _ research: ResearchRules) {
    if research.contains(.oneRegister), explicit != nil { return }
    if research.contains(.defaultsVoidAdds) { adds.removeAll { $0.stamp < written.stamp } }
    if let index = lower.firstIndex(where: { $0.rank == rank }) {
      if lower[index].written.stamp < written.stamp { lower[index].written = written }
    } else {
      lower.append(Ranked(rank: rank, written: written))
    }
  }

  /// The value as devices see it; nil when there is none.
  func image(above floor: Stamp) -> SyncValue? {
    if let fixed = fixed.first { return fixed.image(above: floor) }
    guard let written = effective(above: floor) else { return nil }
    if let container = written.contents.first { return container.image(above: floor) }
    return total(above: floor)
  }
}
