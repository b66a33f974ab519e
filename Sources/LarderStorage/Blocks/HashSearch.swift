/// Finds places in ascending sequences of hashes.
///
/// Hashes are spread evenly, so that a hash tells its place to within a few: the search begins there, and looks at a cache line or two instead
/// of halving the whole sequence. A wrong guess, as in an index of few distinct values, costs two comparisons for each doubling of its
/// distance; it never costs the answer.
enum HashSearch {
  /// Number of places at the beginning of the sequence for which `isBelow` holds.
  ///
  /// - Parameter guess: Where the answer is expected; anything is allowed.
  @inline(__always)
  static func partition(_ count: Int, from guess: Int, _ isBelow: (Int) throws -> Bool) rethrows -> Int {
    guard count > 0 else { return 0 }
    // All before `low` are below, and none from `high` on.
    var (low, high) = (0, count)
    var (place, step) = (max(0, min(count - 1, guess)), 1)
    if try isBelow(place) {
      low = place + 1
      while low < high {
        place = min(high - 1, low + step - 1)
        guard try isBelow(place) else {
          high = place
          break
        }
        low = place + 1
        step &*= 2
      }
    } else {
      high = place
      while low < high {
        place = max(low, high - step)
        guard try !isBelow(place) else {
          low = place + 1
          break
        }
        high = place
        step &*= 2
      }
    }
    while low < high {
      let middle = (low + high) / 2
      if try isBelow(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the position at which a word is expected among so many that are spread evenly from `first` up to `last`.
  @inline(__always)
  static func guess(_ word: UInt64, from first: UInt64, to last: UInt64, count: Int) -> Int {
    guard word > first, last > first else { return 0 }
    guard word < last else { return count }
    return Int(Double(word &- first) / Double(last &- first) * Double(count))
  }
}
