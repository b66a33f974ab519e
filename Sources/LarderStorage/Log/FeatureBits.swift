/// The features that a store needs from a build that opens it (L-24), in three sets as file systems do it.
struct FeatureBits: Hashable, Sendable {
  /// The access that the bits allow.
  package enum Access: Hashable, Sendable {
    case readWrite, readOnly, none
  }

  /// A build may ignore these.
  package var compatible: UInt64
  /// A build that does not know one of these may only read.
  package var readOnlyCompatible: UInt64
  /// A build that does not know one of these must not open the store.
  package var incompatible: UInt64

  package init(compatible: UInt64 = 0, readOnlyCompatible: UInt64 = 0, incompatible: UInt64 = 0) {
    self.compatible = compatible
    self.readOnlyCompatible = readOnlyCompatible
    self.incompatible = incompatible
  }

  /// A `compatible` bit: builds that do not know the tables of sync may write all the same.
  package static let unknownWritersAllowed: UInt64 = 1 << 0
  /// A `readOnlyCompatible` bit: links may lead to objects that are not in the store (L-8).
  package static let ghosts: UInt64 = 1 << 0
  /// A `readOnlyCompatible` bit: there are full-text indexes, which every writer must keep.
  package static let fullText: UInt64 = 1 << 1
  /// A `readOnlyCompatible` bit: there are synced classes, whose changes every writer must keep as operations.
  package static let synced: UInt64 = 1 << 2
  /// An `incompatible` bit: the newest rows of a class may be together in a record of the catalog instead of in the leaves.
  package static let tails: UInt64 = 1 << 0
  /// An `incompatible` bit: all values are sealed with a key that the store does not hold.
  package static let sealed: UInt64 = 1 << 1
  /// An `incompatible` bit: what counts the objects of very many classes may be in records of their own.
  package static let stateParts: UInt64 = 1 << 2
  /// An `incompatible` bit: leaves may be sparse, or have a dictionary.
  package static let packedLeaves: UInt64 = 1 << 3
  /// The bits this build knows.
  package static let known = FeatureBits(
    compatible: unknownWritersAllowed, readOnlyCompatible: ghosts | fullText | synced,
    incompatible: tails | sealed | stateParts | packedLeaves)
  /// Tables beginning so belong to sync.
  package static let reservedTablePrefix = "sync."

  /// Returns what a build that knows only `known` may do with the store.
  ///
  /// - Parameter unknownTables: Names of tables in the file that the build does not know.
  package func access(
    unknownTables: some Sequence<String> = [String](), known: FeatureBits = .known
  ) -> Access {
    if incompatible & ~known.incompatible != 0 { return .none }
    if readOnlyCompatible & ~known.readOnlyCompatible != 0 { return .readOnly }
    let hasSyncTables = unknownTables.contains { $0.hasPrefix(FeatureBits.reservedTablePrefix) }
    return hasSyncTables && compatible & FeatureBits.unknownWritersAllowed == 0 ? .readOnly : .readWrite
  }
}
