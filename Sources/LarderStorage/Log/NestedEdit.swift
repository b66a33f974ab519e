/// One change of a list or dictionary within a mixed value, by the path to it (L-18).
///
/// In a property that is itself a collection, each such change goes with an edit of that collection, marked as nested,
/// which has its place among the other edits.
package struct NestedEdit: Hashable, Sendable {
  /// The change that was made there.
  package enum Change: Hashable, Sendable {
    case list(ListEdit)
    case dictionary(MapEdit)
  }

  /// From the property on; begins with a step into the property's own list or map when it is one.
  package var path: [MixedStep]
  package var change: Change

  package init(path: [MixedStep], _ change: Change) {
    self.path = path
    self.change = change
  }

  package var isDerived: Bool {
    switch change {
    case .list(let edit): edit.isDerived
    case .dictionary(let edit): edit.isDerived
    }
  }
}

extension NestedEdit: LoggedEdit {
  private enum Tag {
    static let list: UInt8 = 1
    static let dictionary: UInt8 = 2
  }

  func encode(into writer: inout LogWriter) {
    switch change {
    case .list: writer.byte(Tag.list)
    case .dictionary: writer.byte(Tag.dictionary)
    }
    writer.varint(path.count)
    for step in path { step.encode(into: &writer) }
    switch change {
    case .list(let edit): edit.encode(into: &writer)
    case .dictionary(let edit): edit.encode(into: &writer)
    }
  }

  init(decoding reader: inout LogReader) throws {
    let tag = try reader.byte()
    path = try (0..<(try reader.count())).map { _ in try MixedStep(decoding: &reader) }
    switch tag {
    case Tag.list: change = .list(try ListEdit(decoding: &reader))
    case Tag.dictionary: change = .dictionary(try MapEdit(decoding: &reader))
    default: throw LogReader.damage("a nested edit of unknown kind")
    }
  }
}

extension MixedStep {
  private enum Tag {
    static let position: UInt8 = 1
    static let key: UInt8 = 2
  }

  func encode(into writer: inout LogWriter) {
    switch self {
    case .position(let position):
      writer.byte(Tag.position)
      writer.varint(position)
    case .key(let key):
      writer.byte(Tag.key)
      writer.block(Array(key.utf8))
    }
  }

  init(decoding reader: inout LogReader) throws {
    switch try reader.byte() {
    case Tag.position: self = .position(Int(try reader.varint(as: UInt32.self)))
    case Tag.key: self = .key(try reader.text())
    default: throw LogReader.damage("a path with a step of unknown kind")
    }
  }
}
