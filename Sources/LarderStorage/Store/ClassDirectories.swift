import LarderLocks

/// The directories of the classes of one snapshot, made when they are first used: a store may have a thousand classes, and most
/// versions are asked for a few. Safe for any thread.
final class ClassDirectories: Sendable {
  private struct Made {
    var leaves: ContiguousArray<LeafDirectory?> = []
    var keys: [ClassID: KeyDirectory] = [:]
  }

  private let columnCounts: [Int]
  private let state: CatalogState
  private let clusterSize: Int
  private let mostObjects: Int
  private let made = Lock(Made())

  /// - Parameter columnCounts: By class number: one more than the highest column number; 0 where there is no class.
  init(_ columnCounts: [Int], _ state: CatalogState, clusterSize: Int, mostObjects: Int) {
    self.mostObjects = mostObjects
    self.columnCounts = columnCounts
    self.state = state
    self.clusterSize = clusterSize
  }

  /// Where the leaves of a class lie; nil for a number that no class has.
  func leaves(_ classID: ClassID) -> LeafDirectory? {
    let number = Int(classID.rawValue)
    guard number < columnCounts.count, columnCounts[number] > 0 else { return nil }
    return made.withLock { made in
      if number < made.leaves.count, let known = made.leaves[number] { return known }
      if made.leaves.isEmpty { made.leaves = ContiguousArray(repeating: nil, count: columnCounts.count) }
      let directory = LeafDirectory(
        columns: columnCounts[number], clusters: state.clusterCount(of: classID, clusterSize: clusterSize),
        isSparse: state.isSparse(classID, clusterSize: clusterSize, most: mostObjects))
      made.leaves[number] = directory
      return directory
    }
  }

  /// Where the blocks of a class's integer primary keys lie.
  func keys(_ classID: ClassID) -> KeyDirectory {
    made.withLock { made in
      if let known = made.keys[classID] { return known }
      let directory = KeyDirectory()
      made.keys[classID] = directory
      return directory
    }
  }
}
