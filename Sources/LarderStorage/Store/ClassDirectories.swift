/// The directories of the classes of one snapshot, made when they are first used: a store may have a thousand classes, and most
/// versions are asked for a few. Safe for any thread, and without a lock: every look at an object passes here.
final class ClassDirectories: @unchecked Sendable {  // The pointer never changes, and what it points to is atomic.
  private struct Place: ~Copyable {
    let leaves = OnceReference<LeafDirectory>()
    let keys = OnceReference<KeyDirectory>()
  }

  private let columnCounts: [Int]
  private let state: CatalogState
  private let clusterSize: Int
  private let mostObjects: Int
  /// By class number.
  private let places: UnsafeMutablePointer<Place>

  /// - Parameter columnCounts: By class number: one more than the highest column number; 0 where there is no class.
  init(_ columnCounts: [Int], _ state: CatalogState, clusterSize: Int, mostObjects: Int) {
    self.mostObjects = mostObjects
    self.columnCounts = columnCounts
    self.state = state
    self.clusterSize = clusterSize
    places = .allocate(capacity: columnCounts.count)
    for number in columnCounts.indices { (places + number).initialize(to: Place()) }
  }

  deinit {
    places.deinitialize(count: columnCounts.count)
    places.deallocate()
  }

  /// Where the leaves of a class are; nil for a number that no class has.
  func leaves(_ classID: ClassID) -> LeafDirectory? {
    let number = Int(classID.rawValue)
    guard number < columnCounts.count, columnCounts[number] > 0 else { return nil }
    return places[number].leaves.object ?? makeLeaves(classID, number)
  }

  private func makeLeaves(_ classID: ClassID, _ number: Int) -> LeafDirectory {
    let made = LeafDirectory(
      columns: columnCounts[number], clusters: state.clusterCount(of: classID, clusterSize: clusterSize),
      isSparse: state.isSparse(classID, clusterSize: clusterSize, most: mostObjects))
    return places[number].leaves.set(made)
  }

  /// Where the blocks of a class's integer primary keys are; nil for a number that no class has.
  func keys(_ classID: ClassID) -> KeyDirectory? {
    let number = Int(classID.rawValue)
    guard number < columnCounts.count else { return nil }
    return places[number].keys.object ?? places[number].keys.set(KeyDirectory())
  }
}
