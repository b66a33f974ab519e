import LarderLMDB

/// The record of a deleted object, kept while consumers of the log may still have to name it (L-7).
package struct Tombstone: Hashable, Sendable {
  /// The commit that deleted it.
  package let version: UInt64
  package let primaryKey: StoredValue

  package init(version: UInt64, primaryKey: StoredValue) {
    self.version = version
    self.primaryKey = primaryKey
  }

  func encoded() -> [UInt8] {
    var writer = LogWriter()
    writer.fixed(version)
    LogValue.encode(primaryKey, into: &writer)
    writer.pad()
    return writer.bytes
  }

  init(decoding view: ByteView) throws {
    var reader = LogReader(view)
    let version: UInt64 = try reader.fixed()
    self.init(version: version, primaryKey: try LogValue.decode(&reader))
  }
}

extension ChangeLog {
  static func tombstoneKey(_ classID: ClassID, _ key: ObjectKey) -> KeyBytes {
    KeyBytes(UInt64(classID.rawValue) << 48, key.rawValue)
  }

  /// The tombstone of a deleted object, or nil when none was kept.
  package func tombstone(_ classID: ClassID, _ key: ObjectKey, in source: some LogSource) throws -> Tombstone? {
    try source.get(tombstones, ChangeLog.tombstoneKey(classID, key)).map { try Tombstone(decoding: $0) }
  }
}
