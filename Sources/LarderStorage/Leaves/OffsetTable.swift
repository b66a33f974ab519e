/// The table of where the texts of a leaf begin, written from its first entry to its last.
enum OffsetTable {
  /// Writes where the text of a slot begins. Memory of width 1 must be zero before.
  @inline(__always)
  static func write(_ offset: Int, _ slot: Int, width: Int, to table: UnsafeMutableRawPointer) {
    switch width {
    case 1:
      let group = table + (slot >> 3) * 10
      if slot & 7 == 0 { group.storeBytes(of: UInt16(truncatingIfNeeded: offset), as: UInt16.self) }
      let distance = offset - Int(group.loadUnaligned(as: UInt16.self))
      group.storeBytes(of: UInt8(truncatingIfNeeded: distance), toByteOffset: 2 + (slot & 7), as: UInt8.self)
    case 2: table.storeBytes(of: UInt16(truncatingIfNeeded: offset), toByteOffset: slot << 1, as: UInt16.self)
    default: table.storeBytes(of: UInt32(truncatingIfNeeded: offset), toByteOffset: slot << 2, as: UInt32.self)
    }
  }

  /// Writes where the last text ends, and what is left of a group.
  static func close(_ end: Int, _ count: Int, width: Int, to table: UnsafeMutableRawPointer) {
    write(end, count, width: width, to: table)
    guard width == 1 else { return }
    for slot in count + 1..<max(count + 1, (count + 8) & ~7) { write(end, slot, width: width, to: table) }
  }
}
