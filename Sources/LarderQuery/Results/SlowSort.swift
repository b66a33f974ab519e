import LarderStorage

/// Sorts by comparing whole values, one path at a time: the reference for `Sorter`.
struct SlowSort {
  let evaluator: RowEvaluator
  let classID: ClassID
  let sortKeys: [SortKey]

  init(_ reader: any StoreReader, _ classID: ClassID, _ sortKeys: [SortKey]) {
    self.evaluator = RowEvaluator(reader)
    self.classID = classID
    self.sortKeys = sortKeys
  }

  func apply(_ keys: [ObjectKey]) throws -> [ObjectKey] {
    let orders = sortKeys.map { SortOrder($0) }
    let rows = try keys.enumerated().map { position, key in
      (position: position, key: key, values: try sortKeys.map { try evaluator.sortValue($0.target, classID, key) })
    }
    return rows.sorted { a, b in
      for (index, order) in orders.enumerated() {
        let compared = order.compare(a.values[index], b.values[index])
        if compared != 0 { return compared < 0 }
      }
      return a.position < b.position
    }.map(\.key)
  }
}
