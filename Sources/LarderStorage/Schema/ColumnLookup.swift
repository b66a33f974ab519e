import LarderLocks

/// The positions of the columns of a class with many of them, by name and by number; computed when a column is looked up first.
final class ColumnLookup: Sendable {
  private struct Places {
    var byName: [String: Int] = [:]
    var byNumber: [ColumnID: Int] = [:]
  }

  /// Up to so many columns are looked at one by one.
  private static let fewColumns = 48

  private let places = Lock<Places?>(nil)

  /// Nil where there are few columns.
  static func of(_ columns: [ColumnDescriptor]) -> ColumnLookup? { columns.count > fewColumns ? ColumnLookup() : nil }

  /// The place of a column in what must always be the same columns.
  func place(_ name: String, in columns: [ColumnDescriptor]) -> Int? { find(columns) { $0.byName[name] } }
  func place(_ id: ColumnID, in columns: [ColumnDescriptor]) -> Int? { find(columns) { $0.byNumber[id] } }

  private func find(_ columns: [ColumnDescriptor], _ body: (Places) -> Int?) -> Int? {
    places.withLock { known in
      if let known { return body(known) }
      var made = Places()
      for (place, column) in columns.enumerated() {
        if made.byName[column.name] == nil { made.byName[column.name] = place }
        if made.byNumber[column.id] == nil { made.byNumber[column.id] = place }
      }
      known = made
      return body(made)
    }
  }
}
