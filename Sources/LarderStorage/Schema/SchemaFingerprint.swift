/// Computes the value that tells one schema from another in the log.
enum SchemaFingerprint {
  /// A hash of what gives stored bytes their meaning (L-27): classes and columns with numbers, names, types, targets,
  /// primary keys. Source order and secondary indexes do not count. The same on every platform.
  static func hash(_ classes: [ClassDescriptor]) -> UInt64 {
    var hash = FingerprintHash()
    for entry in classes {
      hash.add(UInt64(entry.id.rawValue))
      hash.add(entry.name)
      hash.add(entry.isEmbedded ? 1 : 0)
      hash.add(UInt64(entry.columns.count))
      for column in entry.columns.sorted(by: { $0.id < $1.id }) {
        hash.add(UInt64(column.id.rawValue))
        hash.add(column.name)
        hash.add(UInt64(column.type.rawValue))
        hash.add(UInt64(column.collection.rawValue))
        hash.add((column.isOptional ? 1 : 0) | (column.isPrimaryKey ? 2 : 0))
        hash.add(column.target.map { UInt64($0.rawValue) + 1 } ?? 0)
      }
    }
    return hash.value
  }
}

/// FNV-1a over 64 bits: slow and simple, but a schema is small and the result must never change.
private struct FingerprintHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    for byte in text.utf8 { add(byte: byte) }
  }
}
