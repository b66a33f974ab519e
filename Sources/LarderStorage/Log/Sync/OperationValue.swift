/// A value as an operation carries it: what another device can make of it without this store (L-21).
package indirect enum OperationValue: Hashable, Sendable {
  /// A value of a entry of a dictionary.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: OperationValue

    package init(key: String, value: OperationValue) {
      self.key = key
      self.value = value
    }
  }

  /// No link and no collection. A string or data value of more than 4 KiB is its digest: the value itself is what the place holds now,
  /// or a later operation has replaced it.
  case plain(LoggedValue)
  /// To a top-level object; the primary key is null where the class has none.
  case link(ObjectLink, primaryKey: StoredValue)
  /// An embedded object, which has operations of its own.
  case embedded(ObjectLink)
  case list([OperationValue])
  /// In bytewise order of the keys.
  case dictionary([Entry])

  package static let null = OperationValue.plain(.value(.null))
}

extension OperationValue {
  private enum Tag {
    static let link: UInt8 = 32
    static let embedded: UInt8 = 33
    static let list: UInt8 = 34
    static let dictionary: UInt8 = 35
  }

  func encode(into writer: inout LogWriter) {
    switch self {
    case .plain(let value): value.encode(into: &writer)
    case .link(let link, let primaryKey):
      writer.byte(Tag.link)
      link.encode(into: &writer)
      LogValue.encode(primaryKey, into: &writer)
    case .embedded(let link):
      writer.byte(Tag.embedded)
      link.encode(into: &writer)
    case .list(let elements):
      writer.byte(Tag.list)
      writer.varint(elements.count)
      for element in elements { element.encode(into: &writer) }
    case .dictionary(let entries):
      writer.byte(Tag.dictionary)
      writer.varint(entries.count)
      for entry in entries {
        writer.block(Array(entry.key.utf8))
        entry.value.encode(into: &writer)
      }
    }
  }

  init(decoding reader: inout LogReader, depth: Int = 0) throws {
    switch try reader.peek() {
    case Tag.link:
      _ = try reader.byte()
      self = .link(try ObjectLink(decoding: &reader), primaryKey: try LogValue.decode(&reader))
    case Tag.embedded:
      _ = try reader.byte()
      self = .embedded(try ObjectLink(decoding: &reader))
    case Tag.list:
      _ = try reader.byte()
      try Self.checkDepth(depth)
      self = .list(try (0..<(try reader.count())).map { _ in try Self(decoding: &reader, depth: depth + 1) })
    case Tag.dictionary:
      _ = try reader.byte()
      try Self.checkDepth(depth)
      self = .dictionary(
        try (0..<(try reader.count())).map { _ in
          Entry(key: try reader.text(), value: try Self(decoding: &reader, depth: depth + 1))
        })
    default: self = .plain(try LoggedValue(decoding: &reader))
    }
  }

  private static func checkDepth(_ depth: Int) throws {
    guard depth < StoreLayout.maximumNesting else { throw LogReader.damage("a value is nested too deeply") }
  }
}

extension ObjectLink {
  func encode(into writer: inout LogWriter) {
    writer.varint(UInt64(classID.rawValue))
    writer.varint(key.rawValue)
  }

  init(decoding reader: inout LogReader) throws {
    let classID = ClassID(rawValue: try reader.varint(as: UInt16.self))
    let key = try reader.varint()
    guard key < 1 << 62 else { throw LogReader.damage("a key of an object is out of range") }
    self.init(classID: classID, key: ObjectKey(rawValue: key))
  }
}
