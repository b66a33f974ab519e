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

  /// The values at a version; none when the owner is gone.
  func evaluate(_ reader: any StoreReader) throws -> [StoredValue] {
    guard try reader.contains(list.owner.classID, list.owner.key) else { return [] }
    return arrange(try reader.list(list.owner.classID, list.column, list.owner.key).values())
  }

  /// The values at a later version, with what changed. Compares all when the collection was edited: O(n).
  func advance(
    _ old: [StoredValue], to newer: any StoreReader, _ summary: ChangeSummary
  ) throws -> ([StoredValue], CollectionChangeSet) {
    let identity = ChangeSummary.ListID(column: list.column, key: list.owner.key)
    let own = summary[list.owner.classID]
    let isTouched =
      summary.isUnknown(list.owner.classID) || own?.lists[identity] != nil
      || own?.deleted.contains(list.owner.key) == true
    guard isTouched else { return (old, CollectionChangeSet()) }
    let new = try evaluate(newer)
    // Equal values are the same element: numbers stand for them in the comparison.
    var numbers: [StoredValue: UInt64] = [:]
    func keys(_ values: [StoredValue]) -> KeySequence {
      KeySequence(
        values.map { value in
          let number = numbers[value] ?? UInt64(numbers.count)
          numbers[value] = number
          return ObjectKey(rawValue: number)
        })
    }
    let comparison = CollectionComparison(touched: nil, modified: KeyRanges())
    return (new, comparison.compare(keys(old), keys(new)))
  }
}
