/// The different values of a column of strings or data, where there are few of them.
struct TextDictionary {
  private static let most = 256
  /// Slots in a table of values that is never full.
  private static let tableSize = 1_024

  /// A slot with each of the values, in the order of their codes.
  private var firsts: [Int] = []
  /// The code of every slot; 0 where there is no value.
  private var codes: [UInt8]

  /// nil where the values are too many, or of their own elsewhere, for codes to take at most three quarters of the bytes. What repeats
  /// little is given up after some dozens of values.
  init?(_ buffer: ColumnBuffer, _ slots: ValidSlots) {
    guard slots.count >= 64, buffer.type != .mixed, !buffer.hasLarge else { return nil }
    codes = [UInt8](repeating: 0, count: slots.count)
    guard collect(buffer, slots), !firsts.isEmpty else { return nil }
    var (plain, own) = (0, 0)
    slots.forEachRun { for slot in $0 { plain += buffer.bytes(slot).count } }
    for slot in firsts { own += buffer.bytes(slot).count }
    let table = LeafFormat.offsetTableSize(slots.count, width: 1)
    let size = (slots.count * bits) >> 3 + 2 * firsts.count + own
    guard own <= Int(UInt16.max), size * 4 <= (plain + table) * 3 else { return nil }
  }

  /// Bits of a code.
  private var bits: Int { firsts.count <= 2 ? 1 : firsts.count <= 4 ? 2 : firsts.count <= 16 ? 4 : 8 }

  /// Gives every value its code; false when they turn out to be too many.
  private mutating func collect(_ buffer: ColumnBuffer, _ slots: ValidSlots) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.tableSize) { table in
      table.initialize(repeating: 0)
      var (seen, isWorth) = (0, true)
      slots.forEachRun { run in
        guard isWorth else { return }
        for slot in run {
          seen += 1
          codes[slot] = code(of: slot, buffer, table)
          if firsts.count > Self.most || seen & 63 == 0 && firsts.count > Self.limit(seen) {
            isWorth = false
            return
          }
        }
      }
      return isWorth
    }
  }

  /// With more different values than this among so many, most of the others are likely to differ too.
  private static func limit(_ seen: Int) -> Int { seen < 256 ? seen - seen / 16 : seen * 2 / 3 }

  /// The code of a slot's value, a new one where it was not met before.
  private mutating func code(
    of slot: Int, _ buffer: ColumnBuffer, _ table: UnsafeMutableBufferPointer<UInt16>
  ) -> UInt8 {
    let text = buffer.bytes(slot)
    var place = Self.hash(text) & (Self.tableSize - 1)
    while table[place] != 0 {
      let code = Int(table[place]) - 1
      if buffer.bytes(firsts[code]).isSame(as: text) { return UInt8(truncatingIfNeeded: code) }
      place = (place + 1) & (Self.tableSize - 1)
    }
    firsts.append(slot)
    table[place] = UInt16(truncatingIfNeeded: firsts.count)
    return UInt8(truncatingIfNeeded: firsts.count - 1)
  }

  /// Of the length, and the first and the last bytes.
  private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    let count = text.count
    var (first, last) = (UInt64(0), UInt64(0))
    if count >= 8 {
      first = text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      last = text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      for byte in text { first = first << 8 | UInt64(byte) }
    }
    let word = (first ^ (last << 29 | last >> 35)) &+ UInt64(truncatingIfNeeded: count)
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  /// Makes the leaf.
  func encode(_ writer: inout LeafWriter, _ encoder: ColumnEncoder, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    let buffer = encoder.buffer
    let texts = firsts.map { buffer.bytes($0) }
    let total = texts.reduce(0) { $0 + $1.count }
    writer.codec = .dictionary
    writer.width = bits
    writer.base = Int64(total)
    writer.maximum = Int64(firsts.count)
    encoder.finishNulls(&writer, slots)
    let codesSize = LeafFormat.padded((slots.count * bits + 7) >> 3)
    let table = 2 * (firsts.count + 1)
    return writer.write(payload: codesSize + table + total, key: key) { target in
      writeCodes(target, size: codesSize)
      var (offset, next) = (0, target + codesSize)
      for text in texts {
        next.storeBytes(of: UInt16(truncatingIfNeeded: offset), as: UInt16.self)
        next += 2
        if let source = text.baseAddress {
          (target + codesSize + table + offset).copyMemory(from: source, byteCount: text.count)
        }
        offset += text.count
      }
      next.storeBytes(of: UInt16(truncatingIfNeeded: offset), as: UInt16.self)
    }
  }

  private func writeCodes(_ target: UnsafeMutableRawPointer, size: Int) {
    target.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let bits = bits
    for (slot, code) in codes.enumerated() {
      let position = slot * bits
      let byte = target.load(fromByteOffset: position >> 3, as: UInt8.self)
      target.storeBytes(of: byte | code << UInt8(position & 7), toByteOffset: position >> 3, as: UInt8.self)
    }
  }
}
