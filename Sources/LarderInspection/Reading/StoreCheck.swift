import LarderStorage

/// A complete check of a store.
package struct StoreCheck {
  /// What is wrong, as lines; empty when the store is sound.
  package private(set) var problems: [String] = []
  package private(set) var version: UInt64 = 0
  package private(set) var objectCount = 0

  /// Checks everything.
  ///
  /// - Parameter isDeep: Walks all pages of the file first.
  /// - Throws: `StorageError` when the store cannot be opened at all.
  package init(path: String, isDeep: Bool = false, limit: Int = 100) throws {
    let store = try StoreAccess.open(reading: path, walksPages: true)
    if isDeep, let problem = try store.pageProblem() { problems.append("\(problem)") }
    let snapshot = try store.snapshot()
    version = snapshot.version
    objectCount = try snapshot.schema.classes.reduce(0) { try $0 + snapshot.count(of: $1.id) }
    if problems.count < limit {
      problems += try StoreVerifier.verify(snapshot, limit: limit - problems.count).map(\.description)
    }
  }

  /// The outcome as one JSON object.
  package func json(path: String) -> String {
    "{\"file\": \(JSONText.quote(path)), \"sound\": \(problems.isEmpty), \"version\": \(version), "
      + "\"objects\": \(objectCount), \"problems\": [\(problems.map(JSONText.quote).joined(separator: ", "))]}\n"
  }
}
