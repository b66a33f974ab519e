import LarderStorage

/// Sorts by comparing whole values, one path at a time: the reference for `Sorter`.
struct SlowSort {
  let oracle: RowOracle
  let classID: ClassID
  let sortKeys: [SortKey]

  init(_ reader: any StoreReader, _ classID: ClassID, _ sortKeys: [SortKey]) {
    self.oracle = RowOracle(reader)
    self.classID = classID
    self.sortKeys = sortKeys
  }

  func apply(_ keys: [ObjectKey]) throws -> [ObjectKey] {
    let rows = try keys.enumerated().map { position, key in
      (position: position, key: key, values: try sortKeys.map { try oracle.value($0.path, classID, key) })
    }
    return rows.sorted { a, b in
      for (index, sortKey) in sortKeys.enumerated() {
        let (left, right) = (a.values[index], b.values[index])
        // A nil link sorts after every value, nil included.
        let order =
          left.linkIsNil || right.linkIsNil
          ? (left.linkIsNil == right.linkIsNil ? 0 : (left.linkIsNil ? 1 : -1))
          : ValueOrder.compare(left.value, right.value)
        if order != 0 { return sortKey.isAscending ? order < 0 : order > 0 }
      }
      return a.position < b.position
    }.map(\.key)
  }
}
