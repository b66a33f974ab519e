import LarderStorage

/// The values of a list, set or map in another order than its own, or each only once.
package struct ObservedValues: Sendable {
  let list: ObservedList
  private let arrange: @Sendable ([StoredValue]) -> [StoredValue]

  /// - Parameter arrange: Brings the values of the collection into the order observed.
  package init(list: ObservedList, _ arrange: @escaping @Sendable ([StoredValue]) -> [StoredValue]) {
    self.list = list
    self.arrange = arrange
  }

  /// The values at a version; none when the owner is deleted.
  func evaluate(_ reader: any StoreReader) throws -> [StoredValue] {
    arrange(try list.values(in: reader) ?? [])
  }

  /// The values at a later version, with what changed. Compares all when the collection was edited: O(n).
  func advance(
    _ old: [StoredValue], to newer: any StoreReader, _ summary: ChangeSummary
  ) throws -> ([StoredValue], CollectionChangeSet) {
    let identity = ChangeSummary.ListID(column: list.column, key: list.owner.key)
    let own = summary[list.owner.classID]
    let isTouched =
      summary.isUnknown(list.owner.classID) || own?.lists[identity] != nil || own?.nested[identity] != nil
      || (list.nested != nil && own?.modified[list.column]?.contains(list.owner.key) == true)
      || own?.deleted.contains(list.owner.key) == true
    guard isTouched else { return (old, CollectionChangeSet()) }
    let new = try evaluate(newer)
    return (new, CollectionComparison.compare(old, new))
  }
}
