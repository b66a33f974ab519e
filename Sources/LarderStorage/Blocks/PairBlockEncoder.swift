/// Measures how many pairs fit into one block, and encodes them.
struct PairBlockEncoder {
  typealias Format = PairBlockFormat

  let codec: PairCodec
  let limits: PairLimits

  /// The bytes that an encoded run of pairs needs; grows pair by pair.
  struct Measure {
    let codec: PairCodec
    var count = 0
    var runs = 0
    var first: UInt64 = 0
    var last: UInt64 = 0
    var firstKey: UInt64 = 0
    var lastKey: UInt64 = 0
    var smallestKey: UInt64 = 0
    var largestKey: UInt64 = 0
    var isLinear = true
    var keysFollow = true
    var keyStep: UInt64 = 0
    var valueStep: UInt64 = 0
    var texts = Texts()

    /// The byte strings of the runs.
    struct Texts {
      /// Of the first one, and of all while `isFixed`.
      var length = 0
      var isFixed = true
      var totalBytes = 0
      var holdsCutValues = false

      mutating func add(_ pair: PackedPair) {
        totalBytes += Int(pair.length)
        if Int(pair.length) != length { isFixed = false }
        if Int(pair.length) > PairLimits.valueBytes { holdsCutValues = true }
      }
    }

    init(_ codec: PairCodec) { self.codec = codec }

    @inline(__always)
    mutating func add(_ pair: PackedPair, isNewValue: Bool) {
      if count == 0 {
        first = pair.word
        firstKey = pair.key
        smallestKey = pair.key
        largestKey = pair.key
        texts.length = Int(pair.length)
      } else {
        let step = pair.key &- lastKey
        let rise = pair.word &- last
        if count == 1 {
          keyStep = step
          valueStep = rise
        } else if step != keyStep || rise != valueStep {
          isLinear = false
        }
        if step != rise || !isNewValue { keysFollow = false }
        smallestKey = min(smallestKey, pair.key)
        largestKey = max(largestKey, pair.key)
      }
      last = pair.word
      lastKey = pair.key
      count += 1
      if isNewValue {
        runs += 1
        texts.add(pair)
      }
    }

    var usesLinear: Bool { codec == .integer && isLinear }
    var followsValues: Bool { codec == .integer && keysFollow }
    var valueWidth: Int { codec == .integer ? Format.width(last &- first) : 0 }
    var keyWidth: Int { followsValues ? 0 : Format.width(largestKey &- smallestKey) }
    var valueSize: Int { codec == .integer ? runs * valueWidth : (texts.isFixed ? 0 : 2 * runs) }
    var runEndSize: Int { runs == 1 || runs == count ? 0 : 2 * runs }

    var size: Int {
      if usesLinear { return Format.headerSize }
      return Format.headerSize + Format.padded(valueSize) + Format.padded(runEndSize) + Format.padded(count * keyWidth)
        + Format.padded(texts.totalBytes)
    }
  }

  /// The most pairs from `start` on that one block can hold, at most `maximum`; never less than one.
  ///
  /// Copies of one pair are never parted: a block of nothing else is linear, and may be as long as it needs.
  func fitting(_ pairs: [PackedPair], from start: Int, maximum: Int, _ order: PairOrder) -> Int {
    var measure = Measure(codec)
    var end = start
    while end < pairs.count {
      let isNew = end == start || order.compareValues(pairs[end - 1], pairs[end]) != 0
      measure.add(pairs[end], isNewValue: isNew)
      if measure.count > maximum || measure.size > limits.bytes { break }
      end += 1
    }
    if end == pairs.count { return end - start }
    var cut = end
    while cut > start, order.compare(pairs[cut - 1], pairs[cut]) == 0 { cut -= 1 }
    if cut > start { return cut - start }
    while end < pairs.count, order.compare(pairs[end], pairs[start]) == 0 { end += 1 }
    return max(1, end - start)
  }

  /// Size of the pairs in one block, if they fit.
  func size(_ pairs: [PackedPair], _ order: PairOrder) -> Int {
    var measure = Measure(codec)
    for index in pairs.indices {
      measure.add(pairs[index], isNewValue: index == 0 || order.compareValues(pairs[index - 1], pairs[index]) != 0)
    }
    return measure.size
  }

  /// Returns the ranges of pairs for the blocks: all but the last full, or evenly, leaving room in each.
  func cuts(_ pairs: [PackedPair], fillsBlocks: Bool, _ order: PairOrder) -> [Range<Int>] {
    let full = cuts(pairs, maximum: limits.pairs, order)
    guard !fillsBlocks, full.count > 1 else { return full }
    return cuts(pairs, maximum: (pairs.count + full.count - 1) / full.count, order)
  }

  private func cuts(_ pairs: [PackedPair], maximum: Int, _ order: PairOrder) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = 0
    while start < pairs.count {
      let count = fitting(pairs, from: start, maximum: maximum, order)
      result.append(start..<(start + count))
      start += count
    }
    return result
  }

  /// Replaces `block` by the encoded form of some pairs, which must fit.
  func encode(
    _ pairs: ArraySlice<PackedPair>, prefix: UInt64, _ order: PairOrder, into block: inout [UInt8]
  ) {
    var measure = Measure(codec)
    var runStarts: [Int] = []
    runStarts.reserveCapacity(pairs.count)
    for index in pairs.indices {
      let isNew = index == pairs.startIndex || order.compareValues(pairs[index - 1], pairs[index]) != 0
      if isNew { runStarts.append(index) }
      measure.add(pairs[index], isNewValue: isNew)
    }
    block = [UInt8](repeating: 0, count: measure.size)
    block.withUnsafeMutableBytes { bytes in
      writeHeader(measure, into: bytes)
      if !measure.usesLinear { writeBody(pairs, measure, runStarts, order, into: bytes) }
      let sum = Format.checksum(UnsafeRawBufferPointer(bytes), prefix: prefix)
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: Format.checksum, as: UInt64.self)
    }
  }

  /// Replaces `block` by a longer copy of a linear block that one more pair goes on; false, with nothing done, when the pair
  /// does not go on or the block is full.
  func extend(_ old: PairBlock, by pair: PackedPair, prefix: UInt64, into block: inout [UInt8]) -> Bool {
    guard codec == .integer, let next = old.linearSuccessor, next.word == pair.word, next.key == pair.key,
      pair.word > old.last,
      old.count < limits.pairs
    else { return false }
    var measure = Measure(codec)
    measure.count = old.count + 1
    measure.runs = old.runs + 1
    measure.first = old.first
    measure.last = pair.word
    measure.firstKey = old.keyBase
    measure.keyStep = old.key(1) &- old.keyBase
    block = [UInt8](repeating: 0, count: Format.headerSize)
    block.withUnsafeMutableBytes { bytes in
      writeHeader(measure, into: bytes)
      let sum = Format.checksum(UnsafeRawBufferPointer(bytes), prefix: prefix)
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: Format.checksum, as: UInt64.self)
    }
    return true
  }

  private func writeHeader(_ measure: Measure, into bytes: UnsafeMutableRawBufferPointer) {
    let kind = measure.usesLinear ? Format.linear : (codec == .integer ? Format.packed : Format.strings)
    bytes.storeBytes(of: UInt32(measure.count).littleEndian, toByteOffset: Format.count, as: UInt32.self)
    bytes.storeBytes(of: UInt16(measure.runs).littleEndian, toByteOffset: Format.runs, as: UInt16.self)
    bytes[Format.kind] = kind
    bytes.storeBytes(of: measure.first.littleEndian, toByteOffset: Format.first, as: UInt64.self)
    bytes.storeBytes(of: measure.last.littleEndian, toByteOffset: Format.last, as: UInt64.self)
    let follows = measure.followsValues && kind == Format.packed
    bytes[Format.flags] =
      (follows ? Format.keysFollowValues : 0) | (measure.texts.holdsCutValues ? Format.holdsCutValues : 0)
    let base = follows || kind == Format.linear ? measure.firstKey : measure.smallestKey
    bytes.storeBytes(of: base.littleEndian, toByteOffset: Format.keyBase, as: UInt64.self)
    if kind == Format.linear {
      bytes.storeBytes(of: measure.keyStep.littleEndian, toByteOffset: Format.keyStep, as: UInt64.self)
      return
    }
    bytes[Format.valueWidth] = UInt8(measure.valueWidth)
    bytes[Format.keyWidth] = UInt8(measure.keyWidth)
    guard kind == Format.strings else { return }
    let length = measure.texts.isFixed ? UInt16(measure.texts.length) : Format.variableLength
    bytes.storeBytes(of: length.littleEndian, toByteOffset: Format.fixedLength, as: UInt16.self)
    bytes.storeBytes(
      of: UInt32(measure.texts.totalBytes).littleEndian, toByteOffset: Format.totalBytes, as: UInt32.self)
  }

  private func writeBody(
    _ pairs: ArraySlice<PackedPair>, _ measure: Measure, _ runStarts: [Int], _ order: PairOrder,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    var offset = Format.headerSize
    let strings = bytes.count - Format.padded(measure.texts.totalBytes)
    var end = 0
    for (run, start) in runStarts.enumerated() {
      if codec == .integer {
        write(pairs[start].word &- measure.first, width: measure.valueWidth, index: run, at: offset, into: bytes)
      } else {
        let string = order.bytes(pairs[start])
        UnsafeMutableRawBufferPointer(rebasing: bytes[(strings + end)...]).copyMemory(from: string)
        end += string.count
        if !measure.texts.isFixed { write(UInt64(end), width: 2, index: run, at: offset, into: bytes) }
      }
    }
    offset += Format.padded(measure.valueSize)
    if measure.runEndSize > 0 {
      for run in 0..<measure.runs {
        let end = run + 1 < measure.runs ? runStarts[run + 1] : pairs.endIndex
        write(UInt64(end - pairs.startIndex), width: 2, index: run, at: offset, into: bytes)
      }
      offset += Format.padded(measure.runEndSize)
    }
    guard measure.keyWidth > 0 else { return }
    for (index, pair) in pairs.enumerated() {
      write(pair.key &- measure.smallestKey, width: measure.keyWidth, index: index, at: offset, into: bytes)
    }
  }

  @inline(__always)
  private func write(
    _ value: UInt64, width: Int, index: Int, at offset: Int, into bytes: UnsafeMutableRawBufferPointer
  ) {
    switch width {
    case 0: break
    case 1: bytes[offset + index] = UInt8(truncatingIfNeeded: value)
    case 2:
      bytes.storeBytes(
        of: UInt16(truncatingIfNeeded: value).littleEndian, toByteOffset: offset + 2 * index, as: UInt16.self)
    case 4:
      bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: value).littleEndian, toByteOffset: offset + 4 * index, as: UInt32.self)
    default: bytes.storeBytes(of: value.littleEndian, toByteOffset: offset + 8 * index, as: UInt64.self)
    }
  }
}
