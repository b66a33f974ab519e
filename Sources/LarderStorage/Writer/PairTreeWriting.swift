import LarderLMDB

/// Writing what the trees of indexes and backlinks have to learn.
struct PairTreeWriting {
  let writer: StoreWriter

  /// Writes changes to a tree.
  func apply(_ changes: inout PairChanges, to tree: PairTreeID) throws {
    try writer.store.tree(tree, codec: changes.codec).apply(&changes, in: writer.transaction)
    writer.trees.wasWritten(tree)
  }

  /// Writes what waits for a tree, when that takes too much memory.
  func applyIfLarge(_ tree: PairTreeID) throws {
    guard let pairs = writer.trees.waiting[tree], pairs.changes.bytes > writer.trees.limit else { return }
    try apply(&pairs.changes, to: tree)
  }

  /// Writes everything that waits.
  func applyAll() throws {
    for (tree, pairs) in writer.trees.waiting where !pairs.changes.isEmpty { try apply(&pairs.changes, to: tree) }
    writer.trees.forget()
  }

  /// Removes every pair of a tree.
  func removeAll(_ tree: PairTreeID, codec: PairCodec) throws {
    try writer.store.tree(tree, codec: codec).removeAll(in: writer.transaction)
    writer.trees.wasWritten(tree)
  }
}

extension StoreWriter {
  /// Writes trees of pairs.
  @inline(__always)
  var pairTrees: PairTreeWriting { PairTreeWriting(writer: self) }
}
