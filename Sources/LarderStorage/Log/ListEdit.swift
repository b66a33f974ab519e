/// One positional change of a list. Positions are physical: they count elements whose object is missing (L-17).
package struct ListEdit: Hashable, Sendable {
  /// The action of the edit.
  package enum Action: Hashable, Sendable {
    case insert(at: Int, count: Int)
    case remove(at: Int, count: Int)
    /// Elements replaced in place.
    case set(at: Int, count: Int)
    /// The element at `from` ends at `to`, which counts after its removal.
    case move(from: Int, to: Int)
    case clear
  }

  package var action: Action
  /// Number of elements before the change.
  package var sizeBefore: Int
  /// The change follows from another one (an entry went with its target) and is never sent elsewhere (L-12).
  package var isDerived: Bool
  /// The element is a mixed value that was changed within: a `NestedEdit` says how.
  package var isNested: Bool

  package init(_ action: Action, sizeBefore: Int, isDerived: Bool = false, isNested: Bool = false) {
    self.action = action
    self.sizeBefore = sizeBefore
    self.isDerived = isDerived
    self.isNested = isNested
  }

  package var sizeAfter: Int {
    switch action {
    case .insert(_, let count): sizeBefore + count
    case .remove(_, let count): sizeBefore - count
    case .set, .move: sizeBefore
    case .clear: 0
    }
  }

  /// This edit and the one right after it as a single edit, when one says the same.
  package func merged(with next: ListEdit) -> ListEdit? {
    guard isDerived == next.isDerived, !isNested, !next.isNested else { return nil }
    let action: Action
    switch (self.action, next.action) {
    case (.insert(let at, let count), .insert(let nextAt, let nextCount))
    where nextAt >= at && nextAt <= at + count:
      action = .insert(at: at, count: count + nextCount)
    case (.remove(let at, let count), .remove(let nextAt, let nextCount))
    where nextAt <= at && nextAt + nextCount >= at:
      action = .remove(at: nextAt, count: count + nextCount)
    case (.set(let at, let count), .set(let nextAt, let nextCount))
    where nextAt >= at && nextAt <= at + count:
      action = .set(at: at, count: max(count, nextAt - at + nextCount))
    case (.clear, .clear):
      action = .clear
    default:
      return nil
    }
    return ListEdit(action, sizeBefore: sizeBefore, isDerived: isDerived)
  }
}

extension ListEdit: LoggedEdit {
  private enum Tag {
    static let insert: UInt8 = 1
    static let remove: UInt8 = 2
    static let set: UInt8 = 3
    static let move: UInt8 = 4
    static let clear: UInt8 = 5
  }

  func encode(into writer: inout LogWriter) {
    func put(_ tag: UInt8, _ numbers: Int...) {
      EditHead(tag, sizeBefore: sizeBefore, isDerived: isDerived, isNested: isNested).encode(into: &writer)
      for number in numbers { writer.varint(number) }
    }
    switch action {
    case .insert(let at, let count): put(Tag.insert, at, count)
    case .remove(let at, let count): put(Tag.remove, at, count)
    case .set(let at, let count): put(Tag.set, at, count)
    case .move(let from, let to): put(Tag.move, from, to)
    case .clear: put(Tag.clear)
    }
  }

  init(decoding reader: inout LogReader) throws {
    let head = try EditHead(decoding: &reader)
    let size = head.sizeBefore
    func number(_ limit: Int) throws -> Int {
      let value = Int(try reader.varint(as: UInt32.self))
      guard value <= limit else { throw LogReader.damage("a list position is out of range") }
      return value
    }
    let action: Action
    switch head.kind {
    case Tag.insert: action = .insert(at: try number(size), count: try number(Int(UInt32.max)))
    case Tag.remove:
      let at = try number(size)
      action = .remove(at: at, count: try number(size - at))
    case Tag.set:
      let at = try number(size)
      action = .set(at: at, count: try number(size - at))
    case Tag.move: action = .move(from: try number(size), to: try number(size))
    case Tag.clear: action = .clear
    default: throw LogReader.damage("a list edit of unknown kind")
    }
    self.init(action, sizeBefore: size, isDerived: head.isDerived, isNested: head.isNested)
  }
}
