import Synchronization

/// The blocks of one index in one snapshot, listed once its users have spent about as much without a list as it takes to make.
///
/// A look-up through LMDB is a seek over several pages, each likely a cache miss; a count visits every block between two values. With a
/// list both are searches in an array. Safe for any thread, and without a lock.
final class IndexDirectory: Sendable {
  /// Blocks that were visited, or seeks worth as many.
  private let work = Atomic<Int>(0)
  private let made = OnceReference<BlockList>()

  /// A seek takes about as long as visiting so many blocks.
  static let seek = CachePolicy.blocksOfSeek

  /// The list, once there is one.
  @inline(__always)
  var list: BlockList? { made.object }

  /// The list, which is made when it is due.
  ///
  /// There is none of an index with a damaged block: what the list's users need of the others can still be found one by one, and the
  /// damaged one is reported where it is needed.
  /// - Parameters:
  ///   - work: What is about to be done without a list.
  ///   - before: The work without a list after which one is due.
  func list(work: Int, before: @autoclosure () -> Int, _ make: () throws -> BlockList) -> BlockList? {
    if let list { return list }
    note(work: work)
    // Visiting a block for the list takes as long as for a look-up, less what the list's users save.
    guard self.work.load(ordering: .relaxed) > before() else { return nil }
    guard let list = try? make() else {
      self.work.store(.min / 2, ordering: .relaxed)
      return nil
    }
    return made.set(list)
  }

  /// Notes blocks that are visited without a list.
  func note(work: Int) { self.work.wrappingAdd(work, ordering: .relaxed) }
}
