/// A field that a minor version adds to messages: a number and bytes with a table of names of their own.
public struct SyncExtension: Hashable, Sendable {
  /// The number. A side that does not know an even one leaves it unread, and one that does not know an odd one refuses the message.
  public let number: UInt64
  /// The content.
  public let bytes: [UInt8]

  /// A field.
  public init(number: UInt64, bytes: [UInt8]) {
    self.number = number
    self.bytes = bytes
  }

  /// True if a side that does not know the field may leave it unread.
  public var mayBeSkipped: Bool { number & 1 == 0 }
}

extension SyncDecoder {
  /// Fields of other versions, of which none may be one that has to be understood: this version has no such fields.
  mutating func extensions() throws(SyncDecodingError) -> [SyncExtension] {
    let start = reader.position
    let count = try reader.count(eachAtLeast: 2)
    guard count > 0 else { throw SyncDecodingError(.notCanonical("no extensions where there are some"), at: start) }
    var extensions: [SyncExtension] = []
    extensions.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.position
      let number = try reader.varint()
      if let last = extensions.last { try check(last.number < number, "extensions", at: start) }
      let field = SyncExtension(number: number, bytes: try reader.data())
      guard field.mayBeSkipped else { throw SyncDecodingError(.unknownExtension(number), at: start) }
      extensions.append(field)
    }
    return extensions
  }
}
