import LarderLMDB

/// The primary keys of objects that operations name: of those that are there, those that the transaction deleted, and ghosts.
final class OperationKeys {
  private let writer: StoreWriter
  private let ghosts: Table
  private let deleted: [ObjectLink: StoredValue]

  init(_ writer: StoreWriter, _ ghosts: Table) {
    self.writer = writer
    self.ghosts = ghosts
    deleted = writer.recorder.deletedPrimaryKeys()
  }

  /// Null where the class has none.
  subscript(link: ObjectLink) -> StoredValue {
    get throws {
      if let known = deleted[link] { return known }
      let owner = try writer.classWriter(link.classID)
      guard let column = owner.shape.keyColumn else { return .null }
      if try writer.contains(link.classID, link.key) {
        return try writer.clusterReading.unfilteredValue(owner, column, link.key)
      }
      if let healed = owner.ghosts.healed[link.key] { return healed }
      return try writer.transaction.get(ghosts, Ghost.key(link)).map { try Ghost(decoding: $0).primaryKey } ?? .null
    }
  }
}
