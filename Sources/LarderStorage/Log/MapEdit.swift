/// One change of a map, by key (L-18), with the place of the key in the map's order.
package struct MapEdit: Hashable, Sendable {
  /// The action of the edit. Positions are those of the key after a put and before a removal.
  package enum Action: Hashable, Sendable {
    case put(key: String, at: Int, isNew: Bool)
    case remove(key: String, at: Int)
    case clear
  }

  package var action: Action
  /// Number of keys before the change.
  package var sizeBefore: Int
  /// The change follows from another one (a value became nil with its object) and is never sent elsewhere (L-12).
  package var isDerived: Bool
  /// The value is a mixed one that was changed within: a `NestedEdit` says how.
  package var isNested: Bool

  package init(_ action: Action, sizeBefore: Int, isDerived: Bool = false, isNested: Bool = false) {
    self.action = action
    self.sizeBefore = sizeBefore
    self.isDerived = isDerived
    self.isNested = isNested
  }

  /// The same as a positional edit of the list of values.
  package var listEdit: ListEdit {
    let action: ListEdit.Action =
      switch self.action {
      case .put(_, let position, true): .insert(at: position, count: 1)
      case .put(_, let position, false): .set(at: position, count: 1)
      case .remove(_, let position): .remove(at: position, count: 1)
      case .clear: .clear
      }
    return ListEdit(action, sizeBefore: sizeBefore, isDerived: isDerived, isNested: isNested)
  }

  /// Keys are equal when their bytes are.
  package static func == (lhs: MapEdit, rhs: MapEdit) -> Bool {
    guard lhs.sizeBefore == rhs.sizeBefore, lhs.isDerived == rhs.isDerived, lhs.isNested == rhs.isNested else {
      return false
    }
    switch (lhs.action, rhs.action) {
    case (.put(let a, let i, let new), .put(let b, let j, let other)):
      return i == j && new == other && StoredOrder.compare(a, b) == 0
    case (.remove(let a, let i), .remove(let b, let j)): return i == j && StoredOrder.compare(a, b) == 0
    case (.clear, .clear): return true
    default: return false
    }
  }
}

extension MapEdit: LoggedEdit {
  private enum Tag {
    static let put: UInt8 = 1
    static let putNew: UInt8 = 2
    static let remove: UInt8 = 3
    static let clear: UInt8 = 4
  }

  func encode(into writer: inout LogWriter) {
    func put(_ tag: UInt8, _ entry: (key: String, position: Int)?) {
      EditHead(tag, sizeBefore: sizeBefore, isDerived: isDerived, isNested: isNested).encode(into: &writer)
      guard let entry else { return }
      writer.varint(entry.position)
      writer.block(Array(entry.key.utf8))
    }
    switch action {
    case .put(let key, let position, let isNew): put(isNew ? Tag.putNew : Tag.put, (key, position))
    case .remove(let key, let position): put(Tag.remove, (key, position))
    case .clear: put(Tag.clear, nil)
    }
  }

  init(decoding reader: inout LogReader) throws {
    let head = try EditHead(decoding: &reader)
    let size = head.sizeBefore
    func position(_ limit: Int) throws -> Int {
      let value = Int(try reader.varint(as: UInt32.self))
      guard value < limit else { throw LogReader.damage("a position in a map is out of range") }
      return value
    }
    let action: Action
    switch head.kind {
    case Tag.put:
      let at = try position(size)
      action = .put(key: try reader.text(), at: at, isNew: false)
    case Tag.putNew:
      let at = try position(size + 1)
      action = .put(key: try reader.text(), at: at, isNew: true)
    case Tag.remove:
      let at = try position(size)
      action = .remove(key: try reader.text(), at: at)
    case Tag.clear: action = .clear
    default: throw LogReader.damage("a map edit of unknown kind")
    }
    self.init(action, sizeBefore: size, isDerived: head.isDerived, isNested: head.isNested)
  }
}
