import LarderLMDB

extension ChangeLog {
  /// The consumer that keeps operations until it has dealt with them. While there is none, all are kept.
  package static let uploadConsumer = "sync.upload"

  /// Most parts that one commit drops.
  private static let partsOfTrim = 4_096

  /// Drops the operations of versions that were uploaded; how many parts that were.
  func trimOperations(_ table: Table, in transaction: WriteTransaction) throws -> Int {
    // A damaged cursor must not stop commits: nothing goes, and the check of the store names it.
    guard let consumers = try? consumers(in: transaction),
      let upload = consumers.first(where: { $0.name == Self.uploadConsumer })
    else { return 0 }
    var removed = 0
    while removed < Self.partsOfTrim, let first = try transaction.cursor(table).first(),
      first.key.count < 8 || first.key.loadBigEndian(0, as: UInt64.self) <= upload.consumed
    {
      try transaction.delete(table, KeyBytes(bytes: first.key.buffer))
      removed += 1
    }
    return removed
  }
}
