/// An object under sort: the word of the current criterion and its place in the order before.
struct SortEntry {
  var word: UInt64
  var position: UInt32
}

/// Stable sorting of entries by their words.
enum RadixSort {
  /// Sorts `entries`; `scratch` is as long. Bytes that are the same in all words cost nothing.
  static func sort(_ entries: UnsafeMutableBufferPointer<SortEntry>, scratch: UnsafeMutableBufferPointer<SortEntry>) {
    guard entries.count > 192 else { return insertOrCompare(entries) }
    var source = entries
    var target = scratch
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 * 256) { counts in
      counts.initialize(repeating: 0)
      for entry in entries {
        for byte in 0..<8 {
          counts[byte << 8 &+ Int(truncatingIfNeeded: entry.word &>> UInt64(byte << 3) & 0xFF)] &+= 1
        }
      }
      for byte in 0..<8 {
        let shift = UInt64(byte << 3)
        let base = byte << 8
        let common = base &+ Int(truncatingIfNeeded: source[0].word &>> shift & 0xFF)
        if counts[common] == UInt32(entries.count) { continue }
        var sum: UInt32 = 0
        for bucket in base..<base + 256 {
          let count = counts[bucket]
          counts[bucket] = sum
          sum &+= count
        }
        for entry in source {
          let bucket = base &+ Int(truncatingIfNeeded: entry.word &>> shift & 0xFF)
          target[Int(counts[bucket])] = entry
          counts[bucket] &+= 1
        }
        swap(&source, &target)
      }
    }
    if source.baseAddress != entries.baseAddress { _ = entries.update(fromContentsOf: source) }
  }

  private static func insertOrCompare(_ entries: UnsafeMutableBufferPointer<SortEntry>) {
    if entries.count > 24 {
      var entries = entries
      entries.sort { $0.word != $1.word ? $0.word < $1.word : $0.position < $1.position }
      return
    }
    guard entries.count > 1 else { return }
    for index in 1..<entries.count {
      let entry = entries[index]
      var hole = index
      while hole > 0, entries[hole - 1].word > entry.word {
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }
}
