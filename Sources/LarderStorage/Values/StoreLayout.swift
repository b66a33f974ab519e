import LarderLMDB

/// Table names, key layouts and constants of the file format (`docs/file-format.md`).
package enum StoreLayout {
  package static let formatVersion: UInt32 = 1
  package static let defaultClusterSize = 992
  /// Most bytes of one string or data value.
  package static let maximumValueSize = 1 << 30
  /// Lists and dictionaries within mixed values go so deep (O-24).
  package static let maximumNesting = 100

  package static let catalog = "catalog"
  package static let clusters = "clusters"
  package static let large = "large"
  package static let collections = "collections"
  package static let indexes = "indexes"
  package static let backlinks = "backlinks"
  package static let log = "log"
  package static let tombstones = "tombstones"
  package static let cursors = "cursors"
  package static let origins = "origins"

  package static let tables = [
    catalog, clusters, large, collections, indexes, backlinks, log, tombstones, cursors, origins,
  ]

  /// Operations with values, of synced classes.
  package static let operations = "ops"
  /// Objects of synced classes that links lead to and that are not here.
  package static let ghosts = "ghosts"
  /// The table of what synchronisation keeps of its own.
  package static let syncState = "sync.state"
  /// The ids of list elements.
  package static let syncElements = "sync.elements"

  /// The tables that only a store has which was synced: all of them or none.
  package static let syncTables = [operations, ghosts, syncState, syncElements]
  package static let allTables = tables + syncTables

  /// After the name of a synced store: the file that its holder holds.
  package static let holderSuffix = ".sync.lock"

  /// The options with which the environment of a store is opened.
  package static var environmentOptions: EnvironmentOptions {
    var options = EnvironmentOptions(tables: tables)
    options.optionalTables = syncTables
    return options
  }

  /// Key of a leaf: class u16, cluster u32, column u16, so that one object's leaves are together.
  @inline(__always)
  package static func leafKey(_ classID: ClassID, _ column: ColumnID, cluster: Int) -> UInt64 {
    UInt64(classID.rawValue) << 48 | UInt64(UInt32(truncatingIfNeeded: cluster)) << 16 | UInt64(column.rawValue)
  }

  /// First word of a key in `large` and `collections`: class u16, column u16, then 32 zero bits.
  @inline(__always)
  package static func columnWord(_ classID: ClassID, _ column: ColumnID) -> UInt64 {
    UInt64(classID.rawValue) << 48 | UInt64(column.rawValue) << 32
  }

  /// Key of a class's tail in the catalog: "tail", class u16, zeros.
  @inline(__always)
  package static func tailKey(_ classID: ClassID) -> UInt64 { 0x7461_696C_0000_0000 | UInt64(classID.rawValue) << 16 }
}
