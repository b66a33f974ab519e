import LarderLMDB

/// The catalog's identity record: what a store is, written when it is created and rarely after.
struct CatalogIdentity: Equatable {
  /// First bytes of the record, so that a foreign LMDB file is distinguished from a Larder store.
  static let magic: UInt64 = 0x5245_4452_414C_0001

  var formatVersion = StoreLayout.formatVersion
  var clusterSize = UInt32(StoreLayout.defaultClusterSize)
  /// 128 random bits, given at creation and kept by every copy (L-2).
  var storeID: (high: UInt64, low: UInt64)
  /// 64 random bits, drawn for each second file made of this one (L-2).
  var incarnation: UInt64
  /// Feature bits (L-24): unknown ones in `readOnlyCompatible` forbid writing, in `incompatible` opening.
  var compatible: UInt64 = 0
  var readOnlyCompatible: UInt64 = 0
  var incompatible: UInt64 = FeatureBits.tails

  static func == (lhs: CatalogIdentity, rhs: CatalogIdentity) -> Bool { lhs.encode() == rhs.encode() }

  init(clusterSize: Int) {
    self.clusterSize = UInt32(clusterSize)
    storeID = (UInt64.random(in: 1...UInt64.max), UInt64.random(in: 1...UInt64.max))
    incarnation = UInt64.random(in: 1...UInt64.max)
  }

  func encode() -> [UInt8] {
    var record = RecordWriter()
    record.append(Self.magic)
    record.append(formatVersion)
    record.append(clusterSize)
    record.append(storeID.high)
    record.append(storeID.low)
    record.append(incarnation)
    record.append(compatible)
    record.append(readOnlyCompatible)
    record.append(incompatible)
    return CatalogSeal.seal(record.padded(), StoreLayout.identityWord)
  }

  /// Reads the record and refuses what this build must not touch.
  init(_ view: ByteView, path: String) throws {
    var reader = RecordReader(CatalogSeal.open(view, StoreLayout.identityWord), name: "identity")
    guard try reader.read(UInt64.self) == Self.magic else {
      throw StorageError(.notADatabase, "'\(path)' is an LMDB file, but not a Larder store.", path: path)
    }
    formatVersion = try reader.read()
    guard formatVersion <= StoreLayout.formatVersion else {
      throw StorageError(
        .unsupportedFormat,
        "'\(path)' has file format \(formatVersion); this version of Larder reads formats up to "
          + "\(StoreLayout.formatVersion). Use a newer version.", path: path)
    }
    clusterSize = try reader.read()
    guard clusterSize >= 8, clusterSize <= 32_768, clusterSize % 8 == 0 else {
      throw StorageError(.corrupted, "The catalog of '\(path)' names a cluster size of \(clusterSize).", path: path)
    }
    storeID = (try reader.read(), try reader.read())
    incarnation = try reader.read()
    compatible = try reader.read()
    readOnlyCompatible = try reader.read()
    incompatible = try reader.read()
    try reader.finish()
  }
}
