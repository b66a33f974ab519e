/// Appends the little-endian integers and varints of log values to a growing byte array.
struct LogWriter {
  private(set) var bytes: [UInt8] = []

  /// - Parameter capacity: Bytes to make room for at once.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func fixed<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Seven bits per byte, lowest first; the high bit says that more follow.
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func varint(_ value: Int) { varint(UInt64(value)) }

  mutating func raw(_ values: some Collection<UInt8>) { bytes.append(contentsOf: values) }

  /// A length followed by that many bytes.
  mutating func block(_ values: some Collection<UInt8>) {
    varint(values.count)
    raw(values)
  }

  /// A length followed by what `body` writes.
  mutating func block(_ body: (inout LogWriter) -> Void) {
    let start = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - start - 1
    if length < 0x80 {
      bytes[start] = UInt8(length)
    } else {
      var head = LogWriter()
      head.varint(length)
      bytes.replaceSubrange(start...start, with: head.bytes)
    }
  }

  /// Zero bytes up to a multiple of eight, so that neighbours in the table stay aligned.
  mutating func pad() {
    while bytes.count & 7 != 0 { bytes.append(0) }
  }
}
