import LarderLMDB

/// The checksum after each of the catalog's records, so that a damaged counter or name is an error and not another answer.
///
/// Stores that were made before there were any have records without; those get one when they are written next.
enum CatalogSeal {
  private static let size = 8

  /// The record with its checksum after it; `word` is its key as a number.
  static func seal(_ record: [UInt8], _ word: UInt64) -> [UInt8] {
    let sum = record.withUnsafeBytes { Checksum64.hash($0, seed: word) }
    return record + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
  }

  /// The record without its checksum. One that does not fit is left where it is: a reader of the record finds something after
  /// its end, and throws.
  static func open(_ record: ByteView, _ word: UInt64) -> ByteView {
    guard record.count >= 2 * size, record.count % size == 0 else { return record }
    let content = record.slice(0, record.count - size)
    let isIntact = record.load(content.count, as: UInt64.self) == Checksum64.hash(content.buffer, seed: word)
    return isIntact ? content : record
  }

  /// Returns true if a record that can be read has its checksum after it; those of the first stores have none.
  static func isSealed(_ record: ByteView, _ word: UInt64) -> Bool { open(record, word).count < record.count }

  /// A damaged record as it was written, if one byte of it was changed: that for which the checksum fits again.
  ///
  /// Tries every value of every byte, so that the cost grows with the square of the size. Nil for records above 16 KiB.
  static func corrected(_ record: [UInt8], _ word: UInt64) -> [UInt8]? {
    guard record.count >= 2 * size, record.count % size == 0, record.count <= 1 << 14 else { return nil }
    var tried = record
    for place in tried.indices {
      for change in 1...UInt8.max {
        tried[place] = record[place] ^ change
        if tried.withView({ open($0, word).count < $0.count }) { return tried }
      }
      tried[place] = record[place]
    }
    return nil
  }
}

extension CatalogSeal {
  /// The records that are not rewritten by each commit.
  static let rareRecords = [
    (key: StoreLayout.identityKey, word: StoreLayout.identityWord), (StoreLayout.schemaKey, StoreLayout.schemaWord),
  ]

  /// Returns true if some record of the catalog has no checksum. Looks at three records.
  static func isMissing(_ catalog: Table, in source: some LogSource) throws -> Bool {
    try (rareRecords + [(StoreLayout.stateKey, StoreLayout.stateWord)]).contains { key, word in
      try source.get(catalog, key).map { !isSealed($0, word) } ?? false
    }
  }
}

extension StoreLayout {
  /// Keys of the catalog's records as numbers: the seeds of their checksums.
  static let identityWord: UInt64 = 0x6964_656E_7469_7479  // "identity"
  static let stateWord: UInt64 = 0x7374_6174_6500_0000  // "state"
  static let schemaWord: UInt64 = 0x7363_6865_6D61_0000  // "schema"
  static let identityKey = KeyBytes(identityWord)
  static let stateKey = KeyBytes(stateWord)
  static let schemaKey = KeyBytes(schemaWord)
}
