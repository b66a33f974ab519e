import LarderLMDB

/// Objects of synced classes that are not here while links lead to them (L-8).
///
/// Who deletes an object of a synced class leaves the links to it: they read nil, and another device, which may not agree with the deletion,
/// still has them.
struct GhostKeeping {
  let writer: StoreWriter

  /// Whether links to objects of the class stay when these are deleted.
  func keepsLinks(to owner: ClassWriter) -> Bool {
    owner.descriptor.syncMode != .local && writer.schemaState.migrating == nil
  }

  /// Notes what objects that are about to be deleted are called, as far as links lead to them.
  func keep(_ owner: ClassWriter, _ keys: some Collection<ObjectKey>) throws {
    guard let column = owner.shape.keyColumn, !owner.shape.incoming.isEmpty, let table = try table else { return }
    for (originID, _) in owner.shape.incoming where try writer.classWriter(originID).hasNewLinks { try writer.flush() }
    for key in keys {
      let link = ObjectLink(classID: owner.descriptor.id, key: key)
      let isLinked = try owner.shape.incoming.contains {
        try !writer.pairReading.storedBacklinks(to: link, from: $0.origin, $0.column.id).isEmpty
      }
      guard isLinked else { continue }
      let primaryKey = try writer.clusterReading.unfilteredValue(owner, column, key)
      try writer.transaction.put(table, Ghost.key(link), Ghost(primaryKey: primaryKey).encoded())
    }
  }

  private var table: Table? {
    get throws { StoreTables.Sync(try writer.transaction.makeOptionalTables())?.ghosts }
  }
}
