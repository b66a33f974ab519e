/// A value as an edit in the log names it: whole, or by its digest when it is long (L-21).
package enum LoggedValue: Hashable, Sendable {
  case value(StoredValue)
  /// A string or data value of more than `longest` bytes: its length and the two halves of a 128-bit hash.
  case digest(length: Int, high: UInt64, low: UInt64)

  /// Longest string or data value that the log repeats.
  package static let longest = 4_096

  package init(_ value: StoredValue) {
    switch value {
    case .string(let text) where text.utf8.count > Self.longest: self = Self.digest(Array(text.utf8))
    case .data(let data) where data.count > Self.longest: self = Self.digest(Array(data))
    default: self = .value(value)
    }
  }

  private static func digest(_ bytes: [UInt8]) -> LoggedValue {
    bytes.withUnsafeBytes { bytes in
      .digest(
        length: bytes.count, high: Checksum64.hash(bytes, seed: 1), low: Checksum64.hash(bytes, seed: 2))
    }
  }

  private static let digestTag: UInt8 = 255

  func encode(into writer: inout LogWriter) {
    switch self {
    case .value(let value): LogValue.encode(value, into: &writer)
    case .digest(let length, let high, let low):
      writer.byte(Self.digestTag)
      writer.varint(length)
      writer.fixed(high)
      writer.fixed(low)
    }
  }

  init(decoding reader: inout LogReader) throws {
    guard try reader.peek() == Self.digestTag else {
      self = .value(try LogValue.decode(&reader))
      return
    }
    _ = try reader.byte()
    self = .digest(length: try reader.varint(as: Int.self), high: try reader.fixed(), low: try reader.fixed())
  }
}
