extension ColumnEncoder {
  /// Takes values out until the rest fits, and marks their slots as large.
  func evict(_ slots: ValidSlots, softLimit: Int) -> [(slot: Int, bytes: [UInt8])] {
    var total = 0
    var oversized: [Int] = []
    slots.forEachRun { run in
      for slot in run {
        let size = inlineSize(slot)
        total += size
        if size > LeafFormat.maximumInlineLength { oversized.append(slot) }
      }
    }
    guard !oversized.isEmpty || total > softLimit else { return [] }
    var victims = oversized
    for slot in oversized { total -= inlineSize(slot) - LeafFormat.stubSize }
    if total > softLimit {
      var candidates: [(size: Int, slot: Int)] = []
      slots.forEachRun { run in
        for slot in run {
          let size = inlineSize(slot)
          if size > LeafFormat.minimumEvictedLength, size <= LeafFormat.maximumInlineLength {
            candidates.append((size, slot))
          }
        }
      }
      for candidate in candidates.sorted(by: { ($0.size, $1.slot) > ($1.size, $0.slot) }) where total > softLimit {
        total -= candidate.size - LeafFormat.stubSize
        victims.append(candidate.slot)
      }
    }
    return victims.sorted().map { slot in
      let bytes = Array(buffer.bytes(slot))
      let hash = bytes.withUnsafeBytes { Checksum64.hash($0) }
      buffer.setLarge(slot, length: bytes.count, hash: UInt32(truncatingIfNeeded: hash))
      return (slot, bytes)
    }
  }

  /// Bytes that the slot takes in the leaf's payload.
  @inline(__always)
  private func inlineSize(_ slot: Int) -> Int {
    if let large = buffer.large, ColumnBuffer.test(large, slot) { return LeafFormat.stubSize }
    return Int(buffer.extents[slot].length)
  }

  func encodeBytes(_ writer: inout LeafWriter, _ slots: ValidSlots, key: UInt64) -> [UInt8] {
    slots.forEachInvalid { slot in
      buffer.release(slot)
      buffer.extents[slot] = Extent(start: 0, length: 0)
    }
    let plan = planOffsets()
    writer.width = plan.width
    writer.base = Int64(plan.total)
    if plan.hasLarge { writer.large = buffer.large.map { UnsafePointer($0) } }
    finishNulls(&writer, slots)
    let table = LeafFormat.offsetTableSize(count, width: plan.width)
    return writer.write(payload: table + plan.total, key: key) { target in
      switch plan.width {
      case 1: writeGroupedOffsets(target)
      case 2: writeOffsets(target, as: UInt16.self)
      default: writeOffsets(target, as: UInt32.self)
      }
      if plan.isContiguous {
        if let base = buffer.arena.base { (target + table).copyMemory(from: base, byteCount: plan.total) }
      } else {
        writeBytes(target + table, hasLarge: plan.hasLarge)
      }
    }
  }

  private struct OffsetPlan {
    var total = 0
    var width = 1
    var hasLarge = false
    /// All values are in the arena one after the other from its beginning.
    var isContiguous = true
  }

  private func planOffsets() -> OffsetPlan {
    var plan = OffsetPlan()
    plan.hasLarge = buffer.hasLarge
    plan.isContiguous = !plan.hasLarge
    var total = 0
    var group = 0
    for slot in 0..<count {
      if slot & 7 == 0 { group = total }
      if total - group > 0xFF { plan.width = 2 }
      let extent = buffer.extents[slot]
      if extent.length > 0, Int(extent.start) != total { plan.isContiguous = false }
      total += plan.hasLarge ? inlineSize(slot) : Int(extent.length)
    }
    if count & 7 != 0, total - group > 0xFF { plan.width = 2 }
    if total > 0xFFFF { plan.width = 4 }
    plan.total = total
    return plan
  }

  private func writeOffsets<T: FixedWidthInteger>(_ target: UnsafeMutableRawPointer, as type: T.Type) {
    let table = target.assumingMemoryBound(to: T.self)
    var offset = 0
    for slot in 0..<count {
      table[slot] = T(truncatingIfNeeded: offset)
      offset &+= inlineSize(slot)
    }
    table[count] = T(truncatingIfNeeded: offset)
  }

  private func writeGroupedOffsets(_ target: UnsafeMutableRawPointer) {
    var offset = 0
    var slot = 0
    var group = target
    while slot <= count {
      group.storeBytes(of: UInt16(truncatingIfNeeded: offset), as: UInt16.self)
      let start = offset
      for index in 0..<8 {
        group.storeBytes(of: UInt8(truncatingIfNeeded: offset &- start), toByteOffset: 2 &+ index, as: UInt8.self)
        if slot < count { offset &+= inlineSize(slot) }
        slot &+= 1
      }
      group += 10
    }
  }

  private func writeBytes(_ target: UnsafeMutableRawPointer, hasLarge: Bool) {
    var next = target
    for slot in 0..<count {
      let extent = buffer.extents[slot]
      if hasLarge, let large = buffer.large, ColumnBuffer.test(large, slot) {
        next.storeBytes(of: extent.length, as: UInt32.self)
        next.storeBytes(of: extent.start, toByteOffset: 4, as: UInt32.self)
        next += LeafFormat.stubSize
      } else if extent.length > 0, let source = buffer.arena.bytes(extent).baseAddress {
        next.copyMemory(from: source, byteCount: Int(extent.length))
        next += Int(extent.length)
      }
    }
  }
}
