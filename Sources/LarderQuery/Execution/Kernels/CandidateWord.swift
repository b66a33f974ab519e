/// The candidates among 64 slots that follow each other.
enum CandidateWord {
  /// Returns true if there are three candidates at most: in clusters of which most objects are deleted it is quicker to look at each of them than at
  /// all slots.
  @inline(__always)
  static func isSparse(_ candidates: UInt64) -> Bool {
    // Takes the lowest bit away three times; numbers of bits are counted in a dozen steps.
    var rest = candidates
    rest &= rest &- 1
    rest &= rest &- 1
    rest &= rest &- 1
    return rest == 0
  }

  /// The candidates for which `test` holds, among so many slots.
  @inline(__always)
  static func test(_ candidates: UInt64, below count: Int, _ test: (Int) -> Bool) -> UInt64 {
    var (rest, matched) = (candidates, UInt64(0))
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      guard bit < count else { break }
      if test(bit) { matched |= 1 &<< UInt64(bit) }
      rest &= rest &- 1
    }
    return matched
  }
}
