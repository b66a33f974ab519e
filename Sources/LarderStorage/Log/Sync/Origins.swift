import LarderLMDB

/// A site that commits come from (L-3). Records name it by its index in the table.
package struct Origin: Hashable, Sendable {
  /// Sixteen bytes, as two big-endian words.
  package var high: UInt64
  package var low: UInt64
  /// Reserved for what sync will say about a site.
  package var attributes: [UInt8] = []

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension ChangeLog {
  /// Index of this store in the table of origins.
  package static let thisStore: UInt16 = 0

  private static func originKey(_ index: UInt16) -> KeyBytes { KeyBytes(UInt64(index)) }

  private static func encode(_ origin: Origin) -> [UInt8] {
    var writer = LogWriter()
    writer.fixed(origin.high.bigEndian)
    writer.fixed(origin.low.bigEndian)
    writer.block(origin.attributes)
    writer.pad()
    return writer.bytes
  }

  /// Makes the store itself origin 0; called when a store is created, and again when a copy gets an identity of its
  /// own.
  package func setOwnOrigin(_ origin: Origin, in transaction: WriteTransaction) throws {
    try transaction.put(origins, ChangeLog.originKey(ChangeLog.thisStore), ChangeLog.encode(origin))
  }

  /// The index of a site, which is added when it is new.
  package func index(of origin: Origin, in transaction: WriteTransaction) throws -> UInt16 {
    let known = try origins(in: transaction)
    if let found = known.firstIndex(where: { $0.high == origin.high && $0.low == origin.low }) { return UInt16(found) }
    guard let index = UInt16(exactly: known.count) else {
      throw StorageError(.internalError, "The table of origins is full: 65,536 sites have written to this store.")
    }
    try transaction.put(origins, ChangeLog.originKey(index), ChangeLog.encode(origin))
    return index
  }

  /// Every known site in order of index.
  package func origins(in source: some LogSource) throws -> [Origin] {
    let cursor = try source.logCursor(origins)
    var result: [Origin] = []
    var entry = try cursor.first()
    while let found = entry {
      var reader = LogReader(found.value)
      let high = UInt64(bigEndian: try reader.fixed())
      var origin = Origin(high: high, low: UInt64(bigEndian: try reader.fixed()))
      let length = try reader.count()
      origin.attributes = try reader.raw(length).bytes
      result.append(origin)
      entry = try cursor.next()
    }
    return result
  }
}
