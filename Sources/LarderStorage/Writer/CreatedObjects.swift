/// The objects of synced classes that a transaction has made so far and not deleted, without embedded ones; nothing in a transaction that brings
/// what others did. Costs nothing where no class is synced.
package struct CreatedObjects {
  /// By class, keys ascending.
  package let classes: [(classID: ClassID, keys: [ObjectKey])]

  package init(_ writer: StoreWriter) {
    classes = writer.recorder.syncedBuffers().compactMap { buffer in
      guard let owner = writer.schema[buffer.classID], owner.syncMode == .synced, !owner.isEmbedded else { return nil }
      var keys: [ObjectKey] = []
      NetClassChanges(buffer, added: [:]).created.forEach { keys.append($0) }
      return keys.isEmpty ? nil : (buffer.classID, keys)
    }
  }
}
