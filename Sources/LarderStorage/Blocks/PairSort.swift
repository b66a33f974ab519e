/// Sorts pairs by value and key.
///
/// Radix passes over the bytes in which the words differ (and the keys, unless these ascend already), then comparison
/// sorts within groups of equal words where strings go on. About 30 ns a pair for a million random integers.
func sortPairs(_ pairs: inout [PackedPair], arena: [UInt8], keysAscend: Bool) {
  arena.withUnsafeBytes { bytes in
    let order = PairOrder(arena: bytes)
    if pairs.count < 512 {
      pairs.sort { order.compare($0, $1) < 0 }
      return
    }
    var scratch = pairs
    if !keysAscend { radixSort(&pairs, &scratch) { $0.key } }
    radixSort(&pairs, &scratch) { $0.word }
    if !bytes.isEmpty { sortTails(&pairs, order) }
  }
}

/// A stable sort by a word, one pass for each group of eleven bits that is not the same everywhere.
private func radixSort(
  _ pairs: inout [PackedPair], _ scratch: inout [PackedPair], by word: (PackedPair) -> UInt64
) {
  var same = UInt64.max
  guard let first = pairs.first.map(word) else { return }
  for pair in pairs { same &= ~(word(pair) ^ first) }
  let digits = 1 << 11
  let mask = UInt64(digits - 1)
  for shift in stride(from: UInt64(0), to: 64, by: 11) where ~same >> shift & mask != 0 {
    var starts = [Int](repeating: 0, count: digits + 1)
    for pair in pairs { starts[Int(truncatingIfNeeded: word(pair) >> shift & mask) &+ 1] += 1 }
    for digit in 1...digits { starts[digit] += starts[digit - 1] }
    for pair in pairs {
      let digit = Int(truncatingIfNeeded: word(pair) >> shift & mask)
      scratch[starts[digit]] = pair
      starts[digit] += 1
    }
    swap(&pairs, &scratch)
  }
}

/// Orders the pairs whose first eight bytes are equal by the rest of their strings.
private func sortTails(_ pairs: inout [PackedPair], _ order: PairOrder) {
  var start = 0
  while start < pairs.count {
    var end = start + 1
    var uniform = pairs[start].length <= 8
    while end < pairs.count, pairs[end].word == pairs[start].word {
      uniform = uniform && pairs[end].length == pairs[start].length
      end += 1
    }
    if end - start > 1 && !uniform { pairs[start..<end].sort { order.compare($0, $1) < 0 } }
    start = end
  }
}
