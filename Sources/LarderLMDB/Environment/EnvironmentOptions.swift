/// The options with which an environment is opened. Every open of one file in a process must give the same options, but for `inspection`.
package struct EnvironmentOptions: Sendable, Equatable {
  /// The failures that a commit survives.
  package enum Durability: Sendable {
    /// Every commit is on the disk when it returns.
    case full
    /// A power cut may lose the last commit, never consistency (`MDB_NOMETASYNC`).
    case relaxed
    /// Nothing is promised after a power cut: for stores that live as long as the process (`MDB_NOSYNC`).
    case none
  }

  /// The part of the file that is read before its tables are opened.
  package enum Inspection: Sendable {
    /// Meta pages and length; every page of a small file, and of one that belongs to another user.
    case standard
    /// Every reachable page.
    case everyPage
  }

  package var tables: [String]
  /// Tables that a file has all of or none: opened when it has them, made by `WriteTransaction.makeOptionalTables()`.
  package var optionalTables: [String] = []
  package var durability: Durability = .full
  package var readOnly = false
  /// Size of the reserved address range, in bytes. The file itself starts small. Where the process may not
  /// reserve as much, a smaller range is taken, and grown when needed.
  package var mapSize = 1 << 40
  /// The range never grows beyond this.
  package var maximumMapSize = 1 << 42
  /// The time that growing the range waits for this process's transactions to end, in seconds.
  package var growthPatience = 5.0
  /// Reader slots of the lock file, 64 bytes each; who opens it while no one has it open decides. Unused ones cost nothing.
  package var maximumReaders = 4_094
  package var inspection: Inspection = .standard
  /// Opens files on NFS, SMB, FUSE and the like, where two processes at once would destroy them.
  package var allowsNetworkFileSystem = false

  /// Table handles kept free for tables that later versions add; few, since each open handle slows every begin.
  static let spareTables = 16

  var allTables: Int { tables.count + optionalTables.count }

  package init(tables: [String]) { self.tables = tables }

  package static func == (lhs: EnvironmentOptions, rhs: EnvironmentOptions) -> Bool {
    lhs.tables == rhs.tables && lhs.optionalTables == rhs.optionalTables && lhs.durability == rhs.durability
      && lhs.readOnly == rhs.readOnly
      && lhs.mapSize == rhs.mapSize && lhs.maximumMapSize == rhs.maximumMapSize
      && lhs.growthPatience == rhs.growthPatience && lhs.maximumReaders == rhs.maximumReaders
      && lhs.allowsNetworkFileSystem == rhs.allowsNetworkFileSystem
  }
}
