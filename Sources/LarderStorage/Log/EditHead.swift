/// The beginning of every edit of a list, set or map in the log: a byte for what was done, and the size before it.
struct EditHead {
  /// The number of the action; each type of edit numbers its own.
  var kind: UInt8
  var sizeBefore: Int
  var isDerived: Bool
  var isNested: Bool

  private static let derived: UInt8 = 0x80
  private static let nested: UInt8 = 0x40

  init(_ kind: UInt8, sizeBefore: Int, isDerived: Bool, isNested: Bool = false) {
    self.kind = kind
    self.sizeBefore = sizeBefore
    self.isDerived = isDerived
    self.isNested = isNested
  }

  func encode(into writer: inout LogWriter) {
    writer.byte(kind | (isDerived ? Self.derived : 0) | (isNested ? Self.nested : 0))
    writer.varint(sizeBefore)
  }

  init(decoding reader: inout LogReader) throws {
    let byte = try reader.byte()
    kind = byte & ~(Self.derived | Self.nested)
    isDerived = byte & Self.derived != 0
    isNested = byte & Self.nested != 0
    sizeBefore = Int(try reader.varint(as: UInt32.self))
  }
}
