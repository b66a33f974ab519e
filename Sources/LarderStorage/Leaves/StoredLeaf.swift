import LarderLMDB

/// A leaf as a table holds it, ready to be read: expanded when it is sparse.
struct StoredLeaf {
  /// The leaf; valid while its bytes and this value are.
  let view: LeafView
  /// The memory that holds the bytes of an expanded leaf.
  let memory: OwnedLeaf?

  /// Throws `corrupted` when the bytes cannot be a leaf. O(1), of a sparse leaf O(K).
  init(_ bytes: ByteView, key: UInt64) throws(StorageError) {
    guard SparseLeaf.isSparse(bytes) else {
      (view, memory) = (try LeafView(bytes), nil)
      return
    }
    let memory = OwnedLeaf(try SparseLeaf(bytes).expanded(key: key))
    (view, self.memory) = (try LeafView(memory.view), memory)
  }

  /// Reads a leaf whose checksum is right; nil when it is not, or the bytes are no leaf.
  static func read<R>(_ bytes: ByteView, key: UInt64, _ body: (LeafView) -> R?) -> R? {
    guard LeafView.verify(bytes, key: key), let leaf = try? StoredLeaf(bytes, key: key) else { return nil }
    return withExtendedLifetime(leaf.memory) { body(leaf.view) }
  }
}
