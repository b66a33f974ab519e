/// The owners of embedded objects: `count` embedded objects from `firstKey` belong to as many owners from `firstOwner`.
///
/// With it a record names the path to an embedded object even when the object is deleted since (L-20).
package struct EmbeddedOwnerRun: Hashable, Sendable {
  package let firstKey: ObjectKey
  package let ownerClass: ClassID
  package let column: ColumnID
  package let firstOwner: ObjectKey
  package var count: UInt64
  /// One owner holds them all (a list), rather than one each.
  package var isShared: Bool

  package init(
    firstKey: ObjectKey, ownerClass: ClassID, column: ColumnID, firstOwner: ObjectKey, count: UInt64 = 1,
    isShared: Bool = false
  ) {
    self.firstKey = firstKey
    self.ownerClass = ownerClass
    self.column = column
    self.firstOwner = firstOwner
    self.count = count
    self.isShared = isShared
  }

  /// Extends the run by the next embedded object; false when it does not continue the run.
  mutating func extend(_ key: ObjectKey, ownerClass: ClassID, column: ColumnID, owner: ObjectKey) -> Bool {
    guard ownerClass == self.ownerClass, column == self.column, key.rawValue == firstKey.rawValue + count else {
      return false
    }
    if owner == firstOwner, count == 1 || isShared {
      isShared = true
    } else if isShared || owner.rawValue != firstOwner.rawValue + count {
      return false
    }
    count += 1
    return true
  }

  /// The owner of an embedded object, when this run names it.
  package func owner(of key: ObjectKey) -> (owner: ObjectLink, column: ColumnID)? {
    guard key >= firstKey, key.rawValue - firstKey.rawValue < count else { return nil }
    let offset = isShared ? 0 : key.rawValue - firstKey.rawValue
    return (ObjectLink(classID: ownerClass, key: ObjectKey(rawValue: firstOwner.rawValue + offset)), column)
  }
}

extension EmbeddedOwnerRun {
  func encode(into writer: inout LogWriter) {
    writer.varint(firstKey.rawValue)
    writer.varint(UInt64(ownerClass.rawValue))
    writer.varint(UInt64(column.rawValue))
    writer.varint(firstOwner.rawValue)
    writer.varint(count << 1 | (isShared ? 1 : 0))
  }

  init(decoding reader: inout LogReader) throws {
    let firstKey = try reader.varint()
    let ownerClass = ClassID(rawValue: try reader.varint(as: UInt16.self))
    let column = ColumnID(rawValue: try reader.varint(as: UInt16.self))
    let firstOwner = try reader.varint()
    let word = try reader.varint()
    guard firstKey < 1 << 62, firstOwner < 1 << 62, word >> 1 > 0, word < 1 << 62 else {
      throw LogReader.damage("an owner is invalid")
    }
    self.init(
      firstKey: ObjectKey(rawValue: firstKey), ownerClass: ownerClass, column: column,
      firstOwner: ObjectKey(rawValue: firstOwner), count: word >> 1, isShared: word & 1 == 1)
  }
}
