/// Packs a column buffer into a leaf. What the buffer holds for slots without a value is arbitrary afterwards.
struct ColumnEncoder {
  let buffer: ColumnBuffer
  /// True if texts of few different values may be stored as codes.
  var usesDictionary = false

  func encode(key: UInt64, present: Bitmap?, softLimit: Int, into sink: LeafSink?) -> EncodedLeaf {
    var writer = LeafWriter(codec: buffer.codec, type: buffer.type.rawValue, count: count)
    writer.sink = sink
    let slots = prepareSlots(present, &writer)
    switch buffer.codec {
    case .bits: return EncodedLeaf(bytes: encodeBits(&writer, slots, key: key))
    case .integers: return EncodedLeaf(bytes: encodeIntegers(&writer, slots, key: key))
    case .dates: return EncodedLeaf(bytes: encodeDates(&writer, slots, key: key))
    case .fixed: return EncodedLeaf(bytes: encodeFixed(&writer, slots, key: key))
    case .bytes, .dictionary:
      let evicted = evict(slots, softLimit: softLimit)
      if usesDictionary, let dictionary = TextDictionary(buffer, slots) {
        return EncodedLeaf(bytes: dictionary.encode(&writer, self, slots, key: key))
      }
      return EncodedLeaf(bytes: encodeBytes(&writer, slots, key: key), evicted: evicted)
    }
  }

  /// Fills the scratch words: valid slots, then turned into the stored null bitmap by `finishNulls`.
  private func prepareSlots(_ present: Bitmap?, _ writer: inout LeafWriter) -> ValidSlots {
    let (nulls, scratch) = (buffer.nulls, buffer.nulls + buffer.wordCount)
    if present == nil && !buffer.mayHaveNulls { return ValidSlots(words: scratch, count: count, isAll: true) }
    let used = Bitmap.wordCount(count)
    var nullCount = 0
    var valid = 0
    for index in 0..<used {
      var word: UInt64 = index == used - 1 && count & 63 != 0 ? 1 << UInt64(count & 63) - 1 : .max
      if let present { word &= index < present.words.count ? present.words[index] : 0 }
      nullCount += (word & nulls[index]).nonzeroBitCount
      word &= ~nulls[index]
      valid += word.nonzeroBitCount
      scratch[index] = word
    }
    if nullCount > 0 { writer.nullCount = count - valid }
    return ValidSlots(words: scratch, count: count, isAll: valid == count)
  }

  /// Turns the valid slots into the null bitmap where one is stored. They cannot be used afterwards.
  func finishNulls(_ writer: inout LeafWriter, _ slots: ValidSlots) {
    guard writer.nullCount > 0 else { return }
    let used = Bitmap.wordCount(count)
    for index in 0..<used { slots.words[index] = ~slots.words[index] }
    if count & 63 != 0 { slots.words[used - 1] &= 1 << UInt64(count & 63) - 1 }
    writer.nulls = UnsafePointer(slots.words)
  }

  // MARK: - Bits, fixed

  private func encodeBits(_ writer: inout LeafWriter, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    let used = Bitmap.wordCount(count)
    if !slots.isAll { for index in 0..<used { words[index] &= slots.words[index] } }
    finishNulls(&writer, slots)
    return writer.write(payload: used << 3, key: key) { $0.copyMemory(from: values, byteCount: used << 3) }
  }

  private func encodeFixed(_ writer: inout LeafWriter, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    slots.forEachInvalid { buffer.clearValue($0) }
    switch buffer.type {
    case .double: describeRange(values.assumingMemoryBound(to: Double.self), slots, &writer)
    case .float: describeRange(values.assumingMemoryBound(to: Float.self), slots, &writer)
    default: break
    }
    finishNulls(&writer, slots)
    writer.width = buffer.stride
    let size = buffer.stride * count
    return writer.write(payload: size, key: key) { $0.copyMemory(from: values, byteCount: size) }
  }

  /// Puts the smallest and largest number into the header, NaN left out.
  @inline(__always)
  private func describeRange<T: BinaryFloatingPoint>(
    _ numbers: UnsafeMutablePointer<T>, _ slots: ValidSlots, _ writer: inout LeafWriter
  ) {
    var low = T.infinity
    var high = -T.infinity
    var hasNaN = false
    slots.forEachRun { run in
      for slot in run {
        let number = numbers[slot]
        low = number < low ? number : low
        high = number > high ? number : high
        hasNaN = hasNaN || number != number
      }
    }
    if hasNaN { writer.flags |= LeafFlag.notANumber }
    guard low <= high else { return }
    writer.flags |= LeafFlag.range
    writer.base = Int64(bitPattern: Double(low).bitPattern)
    writer.maximum = Int64(bitPattern: Double(high).bitPattern)
  }

  // MARK: - Integers, dates

  private func encodeIntegers(_ writer: inout LeafWriter, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    chooseWidth(&writer, slots)
    if writer.width > 0, let sequence = linearSequence(slots) {
      finishNulls(&writer, slots)
      writer.width = 0
      writer.flags |= LeafFlag.linear
      return writer.write(payload: 16, key: key) { target in
        target.storeBytes(of: sequence.first, as: Int64.self)
        target.storeBytes(of: sequence.step, toByteOffset: 8, as: Int64.self)
      }
    }
    slots.forEachInvalid { integers[$0] = writer.base }
    finishNulls(&writer, slots)
    let (width, base) = (writer.width, writer.base)
    return writer.write(payload: width * count, key: key) { pack(to: $0, width: width, base: base) }
  }

  private func encodeDates(_ writer: inout LeafWriter, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    chooseWidth(&writer, slots)
    slots.forEachInvalid { slot in
      integers[slot] = writer.base
      nanoseconds?[slot] = 0
    }
    finishNulls(&writer, slots)
    let (width, base) = (writer.width, writer.base)
    let seconds = LeafFormat.padded(width * count)
    guard let nanoseconds, (0..<count).contains(where: { nanoseconds[$0] != 0 }) else {
      return writer.write(payload: width * count, key: key) { pack(to: $0, width: width, base: base) }
    }
    writer.flags |= LeafFlag.nanoseconds
    return writer.write(payload: seconds + 4 * count, key: key) { target in
      if seconds > 0 { (target + seconds - 8).storeBytes(of: 0, as: UInt64.self) }
      pack(to: target, width: width, base: base)
      (target + seconds).copyMemory(from: nanoseconds, byteCount: 4 * count)
    }
  }

  /// Finds the range and the bytes that a difference needs.
  private func chooseWidth(_ writer: inout LeafWriter, _ slots: ValidSlots) {
    var (low, high) = (Int64.max, Int64.min)
    if slots.isAll {
      Self.widen(&low, &high, integers, count)
    } else {
      slots.forEachRun { Self.widen(&low, &high, integers + $0.lowerBound, $0.count) }
    }
    guard low <= high else { return }
    writer.flags |= LeafFlag.range
    writer.base = low
    writer.maximum = high
    let difference = UInt64(bitPattern: high &- low)
    writer.width =
      switch difference {
      case 0: 0
      case ...0xFF: 1
      case ...0xFFFF: 2
      case ...0xFFFF_FFFF: 4
      default: 8
      }
  }

  /// Widens a range to some numbers.
  @inline(__always)
  private static func widen(_ low: inout Int64, _ high: inout Int64, _ numbers: UnsafePointer<Int64>, _ count: Int) {
    var (lowest, highest) = (low, high)
    for index in 0..<count {
      let number = numbers[index]
      lowest = number < lowest ? number : lowest
      highest = number > highest ? number : highest
    }
    (low, high) = (lowest, highest)
  }

  /// The values as `first + step * slot`, when all of them are and there are enough to gain anything.
  private func linearSequence(_ slots: ValidSlots) -> (first: Int64, step: Int64)? {
    guard count >= 16, slots.contains(0), slots.contains(1) else { return nil }
    let source = integers
    let first = source[0]
    let step = source[1] &- first
    var isLinear = true
    slots.forEachRun { run in
      guard isLinear else { return }
      for slot in run where source[slot] != first &+ step &* Int64(slot) {
        isLinear = false
        break
      }
    }
    return isLinear ? (first, step) : nil
  }

  private func pack(to target: UnsafeMutableRawPointer, width: Int, base: Int64) {
    switch width {
    case 0: break
    case 1: narrow(to: target, as: UInt8.self, base: base)
    case 2: narrow(to: target, as: UInt16.self, base: base)
    case 4: narrow(to: target, as: UInt32.self, base: base)
    default: target.copyMemory(from: values, byteCount: count << 3)
    }
  }

  @inline(__always)
  private func narrow<T: FixedWidthInteger & UnsignedInteger>(
    to target: UnsafeMutableRawPointer, as type: T.Type, base: Int64
  ) {
    let source = integers
    let target = target.assumingMemoryBound(to: T.self)
    for slot in 0..<count { target[slot] = T(truncatingIfNeeded: source[slot] &- base) }
  }

  // MARK: - The buffer

  @inline(__always) var count: Int { buffer.count }
  @inline(__always) private var values: UnsafeMutableRawPointer { buffer.values }
  @inline(__always) private var words: UnsafeMutablePointer<UInt64> { buffer.words }
  @inline(__always) private var integers: UnsafeMutablePointer<Int64> { buffer.integers }
  @inline(__always) private var nanoseconds: UnsafeMutablePointer<UInt32>? { buffer.nanoseconds }
}
