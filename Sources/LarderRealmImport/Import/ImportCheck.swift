import LarderRealmFile
import LarderStorage

/// A check that a store which was made of a `.realm` file has as many objects and links as were carried.
struct ImportCheck {
  let state: ImportState
  let store: Store

  /// - Parameter linksOfFile: How many links lead to objects there.
  /// - Throws: `StorageError` with code `internalError` where the store has others.
  func run(linksOfFile: Int) throws {
    let snapshot = try store.snapshot()
    for count in state.report.classes {
      guard let entry = snapshot.schema[count.name] else { continue }
      try compare(try snapshot.count(of: entry.id), count.carried, "objects of '\(count.name)'")
    }
    if state.report.isComplete {
      try compare(state.report.classes.reduce(0) { $0 + $1.links }, linksOfFile, "links, of all classes,")
    }
    for (index, entry) in state.classes.enumerated() {
      guard let entry else { continue }
      for property in entry.others where property.column.holdsLinks {
        let stored = try links(of: property, entry, snapshot)
        try compare(stored, state.links[index][property.index], "links of '\(entry.name).\(property.column.name)'")
      }
    }
  }

  private func links(of property: ImportedClass.Property, _ entry: ImportedClass, _ snapshot: Snapshot) throws -> Int {
    let targets =
      property.column.target.map { [$0] } ?? snapshot.schema.classes.filter { !$0.isEmbedded }.map(\.id)
    return try targets.reduce(0) { total, target in
      total + (try snapshot.backlinks(to: target, from: entry.id, property.column.id)?.linkCount() ?? 0)
    }
  }

  private func compare(_ found: Int, _ expected: Int, _ what: String) throws {
    guard found != expected else { return }
    throw StorageError(
      .internalError, "The import has \(found) \(what) where there must be \(expected); the store was not made.",
      path: store.path)
  }
}
