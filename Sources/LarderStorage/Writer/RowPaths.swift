/// The bulk paths that a transaction has made, by class: they hold on to decoded columns, so each class has one of a kind.
struct RowPaths {
  private var writers: [ClassID: RowWriter] = [:]
  private var lastWriter: RowWriter?
  private var comparers: [ClassID: RowComparer] = [:]

  mutating func writer(_ id: ClassID, make: () throws -> RowWriter) rethrows -> RowWriter {
    if let lastWriter, lastWriter.classID == id { return lastWriter }
    let found = try writers[id] ?? make()
    // Most transactions have one class only: no table is made for it.
    if let lastWriter { writers[lastWriter.classID] = lastWriter }
    lastWriter = found
    return found
  }

  mutating func comparer(_ id: ClassID, make: () throws -> RowComparer) rethrows -> RowComparer {
    if let known = comparers[id] { return known }
    let made = try make()
    comparers[id] = made
    return made
  }

  /// Drops what fills rows: the columns have changed.
  mutating func forgetWriters() {
    writers = [:]
    lastWriter = nil
  }
}
