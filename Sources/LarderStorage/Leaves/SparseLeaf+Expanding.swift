import LarderLMDB

extension SparseLeaf {
  /// The whole leaf, as it was before it was packed; throws `corrupted` when the stored bytes contradict themselves. O(K), some microseconds.
  func expanded(key: UInt64) throws(StorageError) -> [UInt8] {
    let whole = try LeafLayout(header: bytes, width: bytes.load(9), count: count, flags: flags, base: base)
    try checkOffsets()
    return [UInt8](unsafeUninitializedCapacity: whole.size) { buffer, initialized in
      initialized = whole.size
      guard let target = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
      target.initializeMemory(as: UInt8.self, repeating: 0, count: whole.size)
      target.copyMemory(from: bytes.base, byteCount: LeafFormat.headerSize)
      target.storeBytes(of: flags, toByteOffset: 10, as: UInt8.self)
      if let from = pieces.nulls, let to = whole.nulls { expandNulls(bytes.base + from, target + to) }
      if let from = pieces.large, let to = whole.large { scatterBits(bytes.base + from, target + to) }
      expandValues(whole, target)
      let rest = UnsafeRawBufferPointer(start: target + 8, count: whole.size - 8)
      target.storeBytes(of: Checksum64.hash(rest, seed: key), as: UInt64.self)
    }
  }

  /// Texts must follow each other, so that they fit where they are copied to.
  private func checkOffsets() throws(StorageError) {
    guard pieces.codec == .bytes else { return }
    let values = self.values
    var last = 0
    for index in 0...slots.count {
      let offset = values.offset(index)
      guard offset >= last, offset <= Int(base) else { throw LeafView.damaged("has offsets that run backwards") }
      last = offset
    }
    guard values.offset(0) == 0, last == Int(base) else { throw LeafView.damaged("has texts that nothing names") }
  }

  /// The gathered values, by their number among them.
  private var values: LeafPointers {
    LeafPointers(
      payload: bytes.base + pieces.payload, extra: pieces.extra.map { bytes.base + $0 }, nulls: nil, large: nil,
      base: base, step: 0, count: slots.count, width: pieces.width, codec: pieces.codec.rawValue, flags: flags,
      type: pieces.type)
  }

  private func expandValues(_ whole: LeafLayout, _ target: UnsafeMutableRawPointer) {
    let (values, payload) = (self.values, target + whole.payload)
    let width = Int(whole.width)
    switch whole.codec {
    case .bits: scatterBits(values.payload, payload)
    case .integers, .dates:
      // Slots without a value hold the base: whole values of it, or differences of zero.
      if width == 8 { for slot in 0..<count { payload.storeBytes(of: base, toByteOffset: slot << 3, as: Int64.self) } }
      scatter(values.payload, payload, width: width)
      if let from = values.extra, let to = whole.extra { scatter(from, target + to, width: 4) }
    case .fixed: scatter(values.payload, payload, width: width)
    case .bytes:
      expandOffsets(values, payload, width: width)
      if let from = values.extra, let to = whole.extra { (target + to).copyMemory(from: from, byteCount: Int(base)) }
    case .dictionary: break
    }
  }

  private func expandOffsets(_ values: LeafPointers, _ table: UnsafeMutableRawPointer, width: Int) {
    var index = 0
    for slot in 0..<count {
      OffsetTable.write(values.offset(index), slot, width: width, to: table)
      if index < slots.count, Int(slots[index]) == slot { index += 1 }
    }
    OffsetTable.close(Int(base), count, width: width, to: table)
  }

  /// Slots without a value are null.
  private func expandNulls(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    var bits = Bitmap(count: count, repeating: true)
    for (index, slot) in slots.enumerated() where !LeafPointers.bit(source, index) { bits.clear(Int(slot)) }
    for (index, word) in bits.words.enumerated() {
      target.storeBytes(of: word, toByteOffset: index << 3, as: UInt64.self)
    }
  }

  private func scatter(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, width: Int) {
    guard width > 0 else { return }
    for (index, slot) in slots.enumerated() {
      (target + Int(slot) * width).copyMemory(from: source + index * width, byteCount: width)
    }
  }

  private func scatterBits(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    for (index, slot) in slots.enumerated() where LeafPointers.bit(source, index) {
      LeafPointers.setBit(target, Int(slot))
    }
  }
}
