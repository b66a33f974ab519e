import LarderCrypto

/// The pair trees of one file, by what they are for.
struct PairTrees: Sendable {
  let tables: StoreTables
  /// Hashes what indexes hold, in an encrypted store.
  let hash: KeyedHash?
  private let limits: PairLimits

  init(_ tables: StoreTables, cipher: StoreCipher?) {
    self.tables = tables
    hash = cipher?.hash
    // A sealed block is to fit into the same page.
    limits = PairLimits(bytes: PairLimits().bytes - (cipher?.overhead ?? 0))
  }

  func tree(_ id: PairTreeID, codec: PairCodec) -> PairTree {
    switch id {
    case .index(let classID, let column):
      PairTree(
        table: tables.indexes, prefix: StoreLayout.columnWord(classID, column), codec: codec, limits: limits, hash: hash
      )
    case .composite(let classID, let number):
      // Column 0, the presence bitmap, has no index of its own.
      PairTree(
        table: tables.indexes, prefix: StoreLayout.columnWord(classID, .presence) | UInt64(number) << 8, codec: codec,
        limits: limits, hash: hash)
    // Words are hashed without the number of their occurrences, before they come to the tree.
    case .words(let classID, let column):
      PairTree(
        table: tables.indexes, prefix: StoreLayout.columnWord(classID, column) | 1 << 24, codec: codec, limits: limits)
    case .lengths(let classID, let column):
      PairTree(
        table: tables.indexes, prefix: StoreLayout.columnWord(classID, column) | 2 << 24, codec: codec, limits: limits)
    case .backlinks(let target, let origin, let column):
      PairTree.backlinks(table: tables.backlinks, target: target, origin: origin, column, limits: limits)
    }
  }
}
