/// The checks that a transaction has to make of one class's values that are unique together.
struct UniqueChanges {
  /// By number of a unique index: objects by their values, as far as they were checked and not yet written.
  var holders: [UInt16: [[UInt8]: ObjectKey]] = [:]
  /// By number of a unique index: objects that were written, to be checked at the commit.
  var uncheckedKeys: [UInt16: [ObjectKey]] = [:]
  /// Numbers of indexes that have become unique: all objects are checked at the commit.
  var uncheckedIndexes: Set<UInt16> = []

  /// Everything was checked, or undone.
  mutating func forget() {
    forgetHolders()
    if !uncheckedKeys.isEmpty { uncheckedKeys = [:] }
    if !uncheckedIndexes.isEmpty { uncheckedIndexes = [] }
  }

  /// Everything was written: the index knows the objects.
  mutating func forgetHolders() {
    if !holders.isEmpty { holders = [:] }
  }
}
