import LarderLMDB

/// Leaves out of a copy what deleted and overwritten values left in the values of tables.
///
/// Leaves keep the values of deleted objects until they are encoded again, and records of the log name elements of sets and keys of
/// maps that came or went. The schema names the classes and properties that were removed. Gets the entries of a table in the order of their keys. What is damaged stays as it is: a copy is no repair.
final class CopyRewriter {
  /// The tables whose values may be changed.
  static let tables: Set<String> = [StoreLayout.clusters, StoreLayout.log, StoreLayout.catalog]

  private static let columnMask: UInt64 = 0xFFFF

  /// The key of the presence leaf that was met last, and who is in that cluster; nil where it is damaged.
  private var cluster = UInt64.max
  private var presence: Bitmap?

  /// True if the copy may have sparse leaves and dictionaries.
  private let packs: Bool

  /// - Parameter identity: What the store says of itself; nil where that is damaged.
  init(_ identity: CatalogIdentity?) {
    packs = (identity?.incompatible ?? 0) & FeatureBits.packedLeaves != 0
  }

  /// Returns what a copy holds in the place of a value; nil when that is the value itself.
  func rewritten(_ table: String, _ key: ByteView, _ value: ByteView) -> [UInt8]? {
    guard key.count == 8 else { return nil }
    switch table {
    case StoreLayout.clusters: return leaf(key.loadBigEndian(0), value)
    case StoreLayout.log: return record(key.loadBigEndian(0), value)
    case StoreLayout.catalog where key.loadBigEndian(0, as: UInt64.self) == StoreLayout.schemaWord: return schema(value)
    default: return nil
    }
  }

  // MARK: - Leaves

  private func leaf(_ word: UInt64, _ bytes: ByteView) -> [UInt8]? {
    let stored = LeafView.verify(bytes, key: word) ? try? StoredLeaf(bytes, key: word) : nil
    return withExtendedLifetime(stored?.memory) { leaf(word, stored?.view) }
  }

  private func leaf(_ word: UInt64, _ leaf: LeafView?) -> [UInt8]? {
    if word & Self.columnMask == 0 {
      cluster = word
      presence = leaf.map { $0.bitmap(capacity: $0.count) }
      return nil
    }
    guard let leaf, leaf.type != nil, leaf.count > 0, word & ~Self.columnMask == cluster, let presence else {
      return nil
    }
    // Nothing was deleted where every slot holds an object.
    if leaf.count <= presence.count, presence.rank(leaf.count) == leaf.count { return nil }
    let buffer = ColumnBuffer(decoding: leaf, capacity: leaf.count)
    // What was short enough for the leaf stays in it.
    let encoded =
      packs
      ? buffer.encodePacked(key: word, present: presence, softLimit: .max).leaf
      : buffer.encode(key: word, present: presence, softLimit: .max)
    return encoded.evicted.isEmpty ? encoded.bytes : nil
  }

  // MARK: - The schema

  private func schema(_ bytes: ByteView) -> [UInt8]? {
    guard let record = try? SchemaRecord(CatalogSeal.open(bytes, StoreLayout.schemaWord)),
      record.retired.contains(where: { !$0.name.isEmpty })
    else { return nil }
    return CatalogSeal.seal(record.withoutRetiredNames.encode(), StoreLayout.schemaWord)
  }

  // MARK: - The log

  /// The record without values: of a class whose edits name some it tells which objects came and went, and that everything else may
  /// have changed (L-11).
  private func record(_ version: UInt64, _ bytes: ByteView) -> [UInt8]? {
    guard var record = try? CommitRecord(decoding: bytes, version: version),
      record.classes.contains(where: \.namesValues)
    else { return nil }
    record.classes = record.classes.map { $0.namesValues ? $0.withoutDetails : $0 }
    record.flags.insert(.truncated)
    return record.encoded(version: version)
  }
}

extension ClassChanges {
  /// True if it names elements of sets, or keys of maps and dictionaries.
  fileprivate var namesValues: Bool { !sets.isEmpty || !maps.isEmpty || !nested.isEmpty }

  fileprivate var withoutDetails: ClassChanges {
    var result = ClassChanges(classID: classID)
    result.isTruncated = true
    (result.inserted, result.deleted, result.derivedDeleted) = (inserted, deleted, derivedDeleted)
    return result
  }
}
