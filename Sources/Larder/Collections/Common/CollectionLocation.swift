import LarderStorage

/// Where a managed collection lives: a property of a row.
struct CollectionLocation {
  let core: RealmCore
  let cursor: _ClassCursor
  let index: Int
  let key: ObjectKey
  let epoch: UInt32
  let bornInWrite: UInt32

  init(_ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    core = cursor.core
    self.cursor = cursor
    self.index = index
    self.key = key
    epoch = cursor.core.epoch
    bornInWrite = cursor.core.writeNumber
  }

  var column: ColumnID { cursor.columns[index] }
  var property: ModelProperty { cursor.model.properties[index] }

  /// Whether the owner's row exists.
  var isAlive: Bool {
    guard epoch == core.epoch else { return false }
    if bornInWrite != 0, bornInWrite != core.writeNumber, let floor = cursor.cancelledFrom[bornInWrite],
      !(key < floor)
    {
      return false
    }
    return cursor.isPresent(key)
  }

  func reading() -> any ListReading { orMisuse { try core.reader.list(cursor.classID, column, key) } }

  func values() -> [StoredValue] {
    let list = reading()
    var result: [StoredValue] = []
    result.reserveCapacity(list.count)
    for position in 0..<list.count { result.append(orMisuse { try list.value(at: position) }) }
    return result
  }

  func moved(to other: RealmCore) -> CollectionLocation? {
    let target = other.cursor(like: cursor)
    return target.isPresent(key) ? CollectionLocation(target, index, key) : nil
  }

  static func == (lhs: CollectionLocation, rhs: CollectionLocation) -> Bool {
    lhs.cursor === rhs.cursor && lhs.index == rhs.index && lhs.key == rhs.key
  }
}
