import Foundation

/// An object whose primary key is a UUID or a text, in random order.
struct KeyedRow {
  var uuid: UUID
  var text: String
  var name: String
  var age: Int

  /// Returns the rows that the workloads of keys insert: the same in every run.
  static func rows(_ data: Dataset) -> [KeyedRow] {
    var random = Generator(seed: 4_122)
    return (0..<max(10_000, data.rows.count / 10)).map { _ in
      var bytes = UUID().uuid
      withUnsafeMutableBytes(of: &bytes) { buffer in
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
        // Version 4, variant 1: what `UUID()` makes.
        buffer[6] = buffer[6] & 0x0F | 0x40
        buffer[8] = buffer[8] & 0x3F | 0x80
      }
      return KeyedRow(
        uuid: UUID(uuid: bytes), text: "user-" + random.letters(12), name: random.letters(8 + random.below(13)),
        age: random.below(100))
    }
  }
}
