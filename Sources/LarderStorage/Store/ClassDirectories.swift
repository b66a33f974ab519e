/// The directories of the classes of one snapshot, made when they are first used: a store may have a thousand classes, and most
/// versions are asked for a few. Safe for any thread, and without a lock: every look at an object passes here.
final class ClassDirectories: Sendable {
  /// The directories of the indexes of one class, by column number.
  private final class Indexes: Sendable {
    let columns: OnceTable<IndexDirectory>

    init(columns count: Int) { columns = OnceTable(count: count) }
  }

  private let columnCounts: [Int]
  private let state: CatalogState
  private let clusterSize: Int
  private let mostObjects: Int
  /// By class number.
  private let leaves: OnceTable<LeafDirectory>
  private let indexes: OnceTable<Indexes>

  /// - Parameter columnCounts: By class number: one more than the highest column number; 0 where there is no class.
  init(_ columnCounts: [Int], _ state: CatalogState, clusterSize: Int, mostObjects: Int) {
    self.mostObjects = mostObjects
    self.columnCounts = columnCounts
    self.state = state
    self.clusterSize = clusterSize
    leaves = OnceTable(count: columnCounts.count)
    indexes = OnceTable(count: columnCounts.count)
  }

  /// Returns the directory of the leaves of a class; nil for a number that no class has.
  func leaves(_ classID: ClassID) -> LeafDirectory? {
    let number = Int(classID.rawValue)
    return leaves[number] ?? makeLeaves(classID, number)
  }

  private func makeLeaves(_ classID: ClassID, _ number: Int) -> LeafDirectory? {
    guard let columns = columnCount(number) else { return nil }
    return leaves.set(
      number,
      LeafDirectory(
        columns: columns, clusters: state.clusterCount(of: classID, clusterSize: clusterSize),
        isSparse: state.isSparse(classID, clusterSize: clusterSize, most: mostObjects)))
  }

  /// Returns the directory of the index blocks of a property; nil for numbers that no class and no property have.
  func index(_ classID: ClassID, _ column: ColumnID) -> IndexDirectory? {
    let number = Int(classID.rawValue)
    guard let indexes = indexes[number] ?? makeIndexes(number) else { return nil }
    let place = Int(column.rawValue)
    return indexes.columns[place] ?? indexes.columns.set(place, IndexDirectory())
  }

  private func makeIndexes(_ number: Int) -> Indexes? {
    columnCount(number).flatMap { indexes.set(number, Indexes(columns: $0)) }
  }

  private func columnCount(_ number: Int) -> Int? {
    number < columnCounts.count && columnCounts[number] > 0 ? columnCounts[number] : nil
  }
}
