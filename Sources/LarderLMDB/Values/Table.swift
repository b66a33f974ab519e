import CLMDB

/// A handle of one of the environment's tables, opened once when the environment is.
package struct Table: Hashable, Sendable {
  let handle: MDB_dbi
  package let name: String
}

/// Entries and pages of a table.
package struct TableStatistics: Sendable {
  package let entries: Int
  package let branchPages: Int
  package let leafPages: Int
  package let overflowPages: Int
  package let depth: Int
  package let pageSize: Int

  /// All pages of the table, in bytes.
  package var bytes: Int { (branchPages + leafPages + overflowPages) * pageSize }
}
