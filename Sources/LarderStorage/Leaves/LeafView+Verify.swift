extension LeafView {
  /// Returns what contradicts itself inside the leaf, in a few words; nil when all is well. A right checksum only proves that the bytes are those
  /// once written; this looks for a fault in what was written. O(bytes), decodes every value.
  ///
  /// - Parameter present: The slots that hold an object; nil for all. What is in the others does not matter.
  package func problem(present: Bitmap? = nil) -> String? {
    if let problem = bitmapProblem() { return problem }
    let slots = (0..<count).filter { !isNull($0) && isPresent($0, present) }
    switch LeafCodec(rawValue: pointers.codec) {
    case .bits: return nil
    case .integers: return rangeProblem(slots)
    case .dates: return rangeProblem(slots) ?? nanosecondsProblem(slots)
    case .fixed: return type == .double || type == .float ? floatingRangeProblem(slots) : nil
    case .bytes: return offsetsProblem() ?? bytesProblem(slots)
    case .dictionary: return dictionaryProblem(slots) ?? bytesProblem(slots)
    case nil: return "an unknown encoding"
    }
  }

  private func isPresent(_ slot: Int, _ present: Bitmap?) -> Bool {
    guard let present else { return true }
    return slot < present.count && present.test(slot)
  }

  private func bitmapProblem() -> String? {
    let words = Bitmap.wordCount(count)
    let tail: UInt64 = count & 63 == 0 ? 0 : ~(1 << UInt64(count & 63) - 1)
    var found = 0
    for index in 0..<words { found += pointers.nullWord(index).nonzeroBitCount }
    if found != nullCount { return "\(found) null slots where the header says \(nullCount)" }
    guard words > 0 else { return nil }
    var last = pointers.nullWord(words - 1)
    if let large = pointers.large { last |= large.loadUnaligned(fromByteOffset: (words - 1) << 3, as: UInt64.self) }
    if pointers.codec == LeafCodec.bits.rawValue { last |= pointers.bitWord(words - 1) }
    return last & tail == 0 ? nil : "bits beyond its last slot"
  }

  private func rangeProblem(_ slots: [Int]) -> String? {
    guard !slots.isEmpty else { return nil }
    guard let range = integerRange else { return "no range although it holds values" }
    guard let slot = slots.first(where: { !range.contains(int($0)) }) else { return nil }
    return "a value outside of the header's range in slot \(slot)"
  }

  private func nanosecondsProblem(_ slots: [Int]) -> String? {
    guard let slot = slots.first(where: { date($0).nanoseconds >= 1_000_000_000 }) else { return nil }
    return "a second or more of nanoseconds in slot \(slot)"
  }

  private func floatingRangeProblem(_ slots: [Int]) -> String? {
    let range = doubleRange
    for slot in slots {
      let value = type == .double ? double(slot) : Double(float(slot))
      if value.isNaN {
        if !hasNaN { return "a NaN that the header does not announce in slot \(slot)" }
      } else if !(range?.contains(value) ?? false) {
        return "a value outside of the header's range in slot \(slot)"
      }
    }
    return nil
  }

  private func offsetsProblem() -> String? {
    for slot in 0..<count where pointers.offset(slot) > pointers.offset(slot + 1) {
      return "offsets that run backwards in slot \(slot)"
    }
    if pointers.offset(count) != Int(base) { return "\(base) bytes where the offsets say \(pointers.offset(count))" }
    return nil
  }

  private func dictionaryProblem(_ slots: [Int]) -> String? {
    var end = 0
    for code in 0..<pointers.entryCount {
      let text = pointers.entry(code)
      guard let start = pointers.extra, text.baseAddress == start + end else {
        return "offsets that run backwards in value \(code) of its dictionary"
      }
      end += text.count
    }
    if end != Int(base) { return "\(base) bytes where the dictionary has \(end)" }
    guard let slot = slots.first(where: { pointers.storedCode($0) >= pointers.entryCount }) else { return nil }
    return "a code that its dictionary does not have in slot \(slot)"
  }

  private func bytesProblem(_ slots: [Int]) -> String? {
    for slot in slots {
      if isLarge(slot) {
        if bytes(slot).count != LeafFormat.stubSize { return "a broken stub of a large value in slot \(slot)" }
      } else if type == .string, String(validating: bytes(slot), as: UTF8.self) == nil {
        return "text that is not UTF-8 in slot \(slot)"
      } else if type == .mixed, (try? MixedCodec.decode(bytes(slot))) == nil {
        return "bytes that are no mixed value in slot \(slot)"
      }
    }
    return nil
  }
}
