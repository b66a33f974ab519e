import LarderStorage

/// Compares two whole sequences of keys.
struct CollectionComparison {
  /// Objects that may have been added, deleted or moved; nil for all. The others are in both, in the same order.
  let touched: KeyRanges?
  /// Objects that were modified; nil for all.
  let modified: KeyRanges?

  /// In place of the old position of an element whose new one is known.
  private static let found = -1

  /// O(n), and O(n log n) when everything may have moved.
  func compare(_ old: KeySequence, _ new: KeySequence) -> CollectionChangeSet {
    let touchedSet = touched.map(Membership.init)
    let modifiedSet = modified.map(Membership.init)
    var result = TouchedElements()
    var oldPositions: [ObjectKey: Int] = [:]
    var position = 0
    for key in old {
      if touchedSet?.contains(key) ?? true, oldPositions.updateValue(position, forKey: key) != nil {
        return compareRepeating(old, new)
      }
      if modifiedSet?.contains(key) ?? true { result.modified.insert(position) }
      position += 1
    }
    position = 0
    for key in new {
      if touchedSet?.contains(key) ?? true {
        if let before = oldPositions.updateValue(Self.found, forKey: key) {
          if before == Self.found { return compareRepeating(old, new) }
          result.common.append(MoveFinder.Element(old: before, new: position))
        } else {
          result.came.append(position)
        }
      }
      position += 1
    }
    result.gone = oldPositions.values.filter { $0 != Self.found }
    return result.changeSet()
  }

  /// The same for collections that may hold an element more than once, such as lists: which of its places is which follows from what
  /// is around it.
  private func compareRepeating(_ old: KeySequence, _ new: KeySequence) -> CollectionChangeSet {
    let kept = RepeatedElements(old.keys, new.keys).kept
    let keptOld = Set(kept.map(\.old))
    let keptNew = Set(kept.map(\.new))
    let modifiedSet = modified.map(Membership.init)
    return CollectionChangeSet(
      deletions: old.indices.filter { !keptOld.contains($0) },
      insertions: new.indices.filter { !keptNew.contains($0) },
      modifications: kept.map(\.old).filter { modifiedSet?.contains(old[$0]) ?? true })
  }
}

extension CollectionComparison {
  /// Compares two whole sequences of values; equal ones are the same element.
  static func compare(_ old: [StoredValue], _ new: [StoredValue]) -> CollectionChangeSet {
    // Numbers mean the values.
    var numbers: [StoredValue: UInt64] = [:]
    func keys(_ values: [StoredValue]) -> KeySequence {
      KeySequence(
        values.map { value in
          let number = numbers[value] ?? UInt64(numbers.count)
          numbers[value] = number
          return ObjectKey(rawValue: number)
        })
    }
    return CollectionComparison(touched: nil, modified: KeyRanges()).compare(keys(old), keys(new))
  }
}

extension CollectionComparison {
  /// Compares two dictionaries entry by entry, in the order of their keys. O(n).
  static func compare(_ old: StoredDictionary, _ new: StoredDictionary) -> CollectionChangeSet {
    var (deletions, insertions, modifications): ([Int], [Int], [Int]) = ([], [], [])
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      let order =
        first == old.count ? 1 : second == new.count ? -1 : StoredOrder.compare(old[first].key, new[second].key)
      if order < 0 {
        deletions.append(first)
        first += 1
      } else if order > 0 {
        insertions.append(second)
        second += 1
      } else {
        if old[first].value != new[second].value { modifications.append(first) }
        first += 1
        second += 1
      }
    }
    return CollectionChangeSet(deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

/// A set of keys to be asked for many: bits where they are close together, else a hash table.
private struct Membership {
  private var bits: [UInt64] = []
  private var base: UInt64 = 0
  private var hashed: Set<ObjectKey> = []

  init(_ ranges: KeyRanges) {
    guard let first = ranges.first?.rawValue, let last = ranges.last?.rawValue else { return }
    base = first
    guard last - first < 1 << 24 else {
      hashed = Set(ranges.keys)
      return
    }
    bits = [UInt64](repeating: 0, count: Int((last - first) / 64) + 1)
    ranges.forEach { key in
      let offset = key.rawValue - first
      bits[Int(offset / 64)] |= 1 << (offset % 64)
    }
  }

  @inline(__always)
  func contains(_ key: ObjectKey) -> Bool {
    if bits.isEmpty { return hashed.contains(key) }
    let offset = key.rawValue &- base
    return offset < UInt64(bits.count) * 64 && bits[Int(offset / 64)] & (1 << (offset % 64)) != 0
  }
}
