import Synchronization

/// The directories of the classes of one snapshot, made when they are first used: a store may have a thousand classes, and most
/// versions are asked for a few. Safe for any thread, and without a lock: every look at an object passes here.
final class ClassDirectories: @unchecked Sendable {  // The pointer never changes, and what it points to is atomic.
  /// Places of a class: 0, or a reference that is kept.
  private struct Place: ~Copyable {
    let leaves = Atomic<UInt>(0)
    let keys = Atomic<UInt>(0)
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
    for number in columnCounts.indices {
      Self.reference(places[number].leaves.load(ordering: .acquiring), LeafDirectory.self)?.release()
      Self.reference(places[number].keys.load(ordering: .acquiring), KeyDirectory.self)?.release()
    }
    places.deinitialize(count: columnCounts.count)
    places.deallocate()
  }

  @inline(__always)
  private static func reference<Directory: AnyObject>(_ word: UInt, _: Directory.Type) -> Unmanaged<Directory>? {
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }

  /// Keeps a directory in a place, unless another thread was faster: theirs is given back then.
  private static func keep<Directory: AnyObject>(_ made: Directory, in place: borrowing Atomic<UInt>) -> Directory {
    let reference = Unmanaged.passRetained(made)
    let word = UInt(bitPattern: reference.toOpaque())
    let (isKept, other) = place.compareExchange(expected: 0, desired: word, ordering: .acquiringAndReleasing)
    guard !isKept, let known = Self.reference(other, Directory.self) else { return made }
    reference.release()
    return known.takeUnretainedValue()
  }

  /// Where the leaves of a class are; nil for a number that no class has.
  func leaves(_ classID: ClassID) -> LeafDirectory? {
    let number = Int(classID.rawValue)
    guard number < columnCounts.count, columnCounts[number] > 0 else { return nil }
    let known = Self.reference(places[number].leaves.load(ordering: .acquiring), LeafDirectory.self)
    return known?.takeUnretainedValue() ?? makeLeaves(classID, number)
  }

  private func makeLeaves(_ classID: ClassID, _ number: Int) -> LeafDirectory {
    let made = LeafDirectory(
      columns: columnCounts[number], clusters: state.clusterCount(of: classID, clusterSize: clusterSize),
      isSparse: state.isSparse(classID, clusterSize: clusterSize, most: mostObjects))
    return Self.keep(made, in: places[number].leaves)
  }

  /// Where the blocks of a class's integer primary keys are; nil for a number that no class has.
  func keys(_ classID: ClassID) -> KeyDirectory? {
    let number = Int(classID.rawValue)
    guard number < columnCounts.count else { return nil }
    let known = Self.reference(places[number].keys.load(ordering: .acquiring), KeyDirectory.self)
    return known?.takeUnretainedValue() ?? Self.keep(KeyDirectory(), in: places[number].keys)
  }
}
