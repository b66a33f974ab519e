import LarderStorage

/// Whole leaves, and the parts of them that are all chosen.
extension NumericFold {
  /// Takes in every value of a leaf, in order: what floating point numbers add up to does not depend on how a list is cut into leaves.
  mutating func add(_ leaf: LeafView) {
    let pointers = leaf.pointers
    if leaf.type == .int, addDense(leaf, leaf.count) { return }
    if leaf.type == .double, goal == .sum, !leaf.hasNaN, !leaf.hasNulls {
      var sum = real
      for slot in 0..<leaf.count { sum += pointers.double(slot) }
      return note(leaf.count, sum: sum)
    }
    for slot in 0..<leaf.count where !pointers.isNull(slot) {
      switch leaf.type {
      case .int: add(pointers.int(slot))
      case .float: add(Double(pointers.float(slot)))
      case .double: add(pointers.double(slot))
      default: return
      }
    }
  }

  /// Takes in the integers of the first slots of a leaf, all of which are chosen; false, having done nothing, where some may be null or the
  /// leaf is no array of them.
  mutating func addDense(_ leaf: LeafView, _ slots: Int) -> Bool {
    let pointers = leaf.pointers
    guard slots > 0, !leaf.hasNulls, pointers.isPackedIntegers else { return false }
    switch pointers.width {
    case 1: addDifferences(UInt8.self, pointers, slots)
    case 2: addDifferences(UInt16.self, pointers, slots)
    case 4: addDifferences(UInt32.self, pointers, slots)
    case 8: addWhole(pointers, slots)
    default:
      guard pointers.step == 0 else { return false }
      add(pointers.base, times: slots)
    }
    return true
  }

  @inline(__always)
  private mutating func addDifferences<Width: FixedWidthInteger & UnsignedInteger>(
    _ type: Width.Type, _ pointers: LeafPointers, _ slots: Int
  ) {
    let (payload, base) = (pointers.payload, pointers.base)
    func difference(_ slot: Int) -> Width {
      payload.loadUnaligned(fromByteOffset: slot &* MemoryLayout<Width>.size, as: Width.self)
    }
    switch goal {
    case .sum:
      // At most 65,535 of 32 bits.
      var sum: UInt64 = 0
      for slot in 0..<slots { sum &+= UInt64(truncatingIfNeeded: difference(slot)) }
      note(slots, sum: Int128(base) &* Int128(slots) &+ Int128(sum))
    case .minimum:
      var least = Width.max
      for slot in 0..<slots { least = min(least, difference(slot)) }
      add(base &+ Int64(truncatingIfNeeded: least), times: slots)
    case .maximum:
      var most = Width.min
      for slot in 0..<slots { most = max(most, difference(slot)) }
      add(base &+ Int64(truncatingIfNeeded: most), times: slots)
    }
  }

  private mutating func addWhole(_ pointers: LeafPointers, _ slots: Int) {
    switch goal {
    case .sum:
      // Halves, so that no addition needs more than 64 bits: of at most 65,535 values.
      var (high, low): (Int64, UInt64) = (0, 0)
      for slot in 0..<slots {
        let value = pointers.payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Int64.self)
        high &+= value >> 32
        low &+= UInt64(UInt32(truncatingIfNeeded: value))
      }
      note(slots, sum: Int128(high) << 32 &+ Int128(low))
    case .minimum, .maximum:
      for slot in 0..<slots { add(pointers.payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Int64.self)) }
    }
  }
}
