import LarderStorage

/// The changes of a query's results in commits that nothing followed, as far as the log says it: it has which objects were inserted, deleted and
/// modified, but not which of them were results then.
package struct MissedChanges: Hashable, Sendable {
  /// Positions of results that were inserted since.
  package var insertions: [Int] = []
  /// Positions of results that were there and were modified since, or that lead to an object that was.
  package var modifications: [Int] = []
  /// Objects that may have been results and are none now: those that were deleted, and those of which something was modified that the
  /// query looks at.
  package var left = 0

  package var isEmpty: Bool { insertions.isEmpty && modifications.isEmpty && left == 0 }

  /// Reads the log. O(results + changes).
  ///
  /// - Parameters:
  ///   - results: What the query finds in the snapshot.
  ///   - version: The last version that was followed.
  ///   - hops: Over how many links a modified object modifies a result.
  /// - Returns: Nil where the log does not reach back, or does not list the details of a commit.
  package init?(
    of query: some ObservedQuery, _ results: [ObjectKey], after version: UInt64, in snapshot: Snapshot, hops: Int = 4
  ) throws {
    let log = snapshot.store.log
    let summary = try log.summary(after: version, upTo: snapshot.version, in: snapshot.transaction)
    guard summary.isComplete else { return nil }
    let walker = LinkWalker(summary: summary, reader: snapshot, older: snapshot)
    let modified: KeyRanges
    let relevant: KeyRanges
    do {
      modified = try walker.reaching(query.classID, hops: hops)
      relevant =
        query.dependencies == nil
        ? modified : try query.membership.reduce(KeyRanges()) { $0.union(try walker.reaching($1)) }
    } catch is LinkWalker.Unknown {
      return nil
    }
    let own = summary[query.classID]
    let inserted = own?.inserted ?? KeyRanges()
    for (position, key) in results.enumerated() {
      if inserted.contains(key) {
        insertions.append(position)
      } else if modified.contains(key) || relevant.contains(key) {
        modifications.append(position)
      }
    }
    let deleted = own?.deleted ?? KeyRanges()
    left = deleted.count + relevant.subtracting(KeyRanges(results)).subtracting(inserted).subtracting(deleted).count
  }
}
