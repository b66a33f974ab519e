/// One change of a set, by value (L-18), with the places in its order that observers need.
package struct SetEdit: Hashable, Sendable {
  /// An element and its position: in the set as it is with all inserted elements, or as it was with all removed ones.
  package struct Element: Hashable, Sendable {
    package var position: Int
    package var value: LoggedValue

    package init(position: Int, value: LoggedValue) {
      self.position = position
      self.value = value
    }
  }

  /// The action of the edit. Elements are in order of position.
  package enum Action: Hashable, Sendable {
    case insert([Element])
    case remove([Element])
    case clear
  }

  package var action: Action
  /// Number of elements before the change.
  package var sizeBefore: Int
  /// The change follows from another one (an element went with its object) and is never sent elsewhere (L-12).
  package var isDerived: Bool

  package init(_ action: Action, sizeBefore: Int, isDerived: Bool = false) {
    self.action = action
    self.sizeBefore = sizeBefore
    self.isDerived = isDerived
  }

  /// The same as positional edits of the list of elements.
  package var listEdits: [ListEdit] {
    var size = sizeBefore
    var result: [ListEdit] = []
    func add(_ action: ListEdit.Action) {
      let edit = ListEdit(action, sizeBefore: size, isDerived: isDerived)
      size = edit.sizeAfter
      if let merged = result.last?.merged(with: edit) { result[result.count - 1] = merged } else { result.append(edit) }
    }
    switch action {
    case .insert(let elements): for element in elements { add(.insert(at: element.position, count: 1)) }
    case .remove(let elements): for element in elements.reversed() { add(.remove(at: element.position, count: 1)) }
    case .clear: add(.clear)
    }
    return result
  }
}

extension SetEdit: LoggedEdit {
  private enum Tag {
    static let insert: UInt8 = 1
    static let remove: UInt8 = 2
    static let clear: UInt8 = 3
  }

  func encode(into writer: inout LogWriter) {
    func put(_ tag: UInt8, _ elements: [Element]?) {
      EditHead(tag, sizeBefore: sizeBefore, isDerived: isDerived).encode(into: &writer)
      guard let elements else { return }
      writer.varint(elements.count)
      var previous = 0
      for element in elements {
        writer.varint(element.position - previous)
        previous = element.position
        element.value.encode(into: &writer)
      }
    }
    switch action {
    case .insert(let elements): put(Tag.insert, elements)
    case .remove(let elements): put(Tag.remove, elements)
    case .clear: put(Tag.clear, nil)
    }
  }

  init(decoding reader: inout LogReader) throws {
    let head = try EditHead(decoding: &reader)
    // Elements of sets hold no collections that could be edited.
    guard !head.isNested else { throw LogReader.damage("a set edit of unknown kind") }
    // What follows the log applies the positions: each must be in the set, after the one before.
    func elements(adding: Bool) throws -> [Element] {
      let count = try reader.count()
      let size = head.sizeBefore + (adding ? count : 0)
      var next = 0
      return try (0..<count).map { index in
        let position = (index == 0 ? 0 : next - 1) + Int(try reader.varint(as: UInt32.self))
        guard position >= next, position < size else { throw LogReader.damage("a position in a set is out of range") }
        next = position + 1
        return Element(position: position, value: try LoggedValue(decoding: &reader))
      }
    }
    let action: Action
    switch head.kind {
    case Tag.insert: action = .insert(try elements(adding: true))
    case Tag.remove: action = .remove(try elements(adding: false))
    case Tag.clear: action = .clear
    default: throw LogReader.damage("a set edit of unknown kind")
    }
    self.init(action, sizeBefore: head.sizeBefore, isDerived: head.isDerived)
  }
}
