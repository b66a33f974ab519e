import LarderStorage

/// The objects of which values at the end of some paths were changed between two versions.
package struct FilteredObjects {
  private let keys: KeyRanges?

  /// Reads the log. Objects of the paths' first class.
  package init(_ paths: [DependencyPath], from older: Snapshot, to newer: Snapshot) throws {
    let walker = LinkWalker(summary: try newer.changes(since: older.moment), reader: newer, older: older)
    do {
      keys = try paths.reduce(KeyRanges()) { $0.union(try walker.reaching($1)) }
    } catch is LinkWalker.Unknown {
      keys = nil
    }
  }

  package func contains(_ key: ObjectKey) -> Bool { keys?.contains(key) ?? true }
}
