import LarderQuery
import LarderStorage

/// A list, set or map of one object, to be observed by position: of elements, or of values in the order of their keys.
package struct ObservedList: Hashable, Sendable {
  package let owner: ObjectLink
  package let column: ColumnID

  package init(owner: ObjectLink, column: ColumnID) {
    self.owner = owner
    self.column = column
  }
}

/// Brings an observed list, set or map from one version of the store to a later one, from the edits in the log.
struct ListProgress {
  let list: ObservedList
  let scope: ModificationScope
  let older: any StoreReader
  let newer: any StoreReader
  let summary: ChangeSummary

  /// What changed; nil in place of the new count when the owner is gone (N-20).
  func advance(count: Int) throws -> (count: Int?, changes: CollectionChangeSet) {
    guard try newer.contains(list.owner.classID, list.owner.key) else {
      return (nil, CollectionChangeSet(deletions: Array(0..<count)))
    }
    var fold = ListEditFold(count: count)
    let identity = ChangeSummary.ListID(column: list.column, key: list.owner.key)
    let edits = summary[list.owner.classID]?.lists[identity] ?? []
    let newCount = try newer.elements(list.owner.classID, list.column, list.owner.key).count
    guard !summary.isUnknown(list.owner.classID), edits.allSatisfy({ fold.apply($0) }), fold.count == newCount else {
      return (
        newCount, CollectionChangeSet(deletions: Array(0..<count), insertions: Array(0..<newCount))
      )
    }
    return (newCount, fold.changeSet(modified: try modifiedPositions()))
  }

  /// Old positions of linked objects that were modified inside.
  private func modifiedPositions() throws -> [Int] {
    let descriptor = newer.schema[list.owner.classID]?.column(list.column)
    guard let target = descriptor?.target else { return [] }
    let walker = LinkWalker(summary: summary, reader: newer, older: older)
    var modified: KeyRanges? = KeyRanges()
    do {
      switch scope {
      case .membership: break
      case .deep(let hops): modified = try walker.reaching(target, hops: hops)
      case .paths(let paths):
        modified = try paths.reduce(KeyRanges()) { $0.union(try walker.reaching($1)) }
      }
    } catch is LinkWalker.Unknown {
      modified = nil
    }
    if modified?.isEmpty == true { return [] }
    return try positions { key in modified?.contains(key) ?? true }
  }

  private func positions(where isModified: (ObjectKey) -> Bool) throws -> [Int] {
    var result: [Int] = []
    try older.elements(list.owner.classID, list.column, list.owner.key).forEachChunk { first, leaf in
      for slot in 0..<leaf.count {
        if let key = leaf.link(slot), isModified(key) { result.append(first + slot) }
      }
      return true
    }
    return result
  }
}
