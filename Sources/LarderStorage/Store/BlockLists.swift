import LarderLMDB
import LarderLocks

/// The block lists of the indexes that one snapshot is asked for again and again.
///
/// A list is made when the indexes' users have spent about as much without it as it takes to make. Safe for any thread.
final class BlockLists: Sendable {
  private struct Entry {
    var list: BlockList?
    /// Blocks that were visited, or seeks worth as many.
    var work = 0
  }

  private let entries = Lock<[UInt64: Entry]>([:])

  /// A seek takes about as long as visiting so many blocks.
  static let seek = 8

  /// The list of a tree, once it has one.
  ///
  /// - Parameters:
  ///   - word: The prefix of the tree's values.
  ///   - work: What is about to be done without a list.
  ///   - objects: Objects of the class, from which the number of blocks is guessed.
  func list(_ word: UInt64, work: Int, objects: Int, _ make: () throws -> BlockList) rethrows -> BlockList? {
    let (known, isDue) = entries.withLock { entries -> (BlockList?, Bool) in
      if let list = entries[word]?.list { return (list, false) }
      entries[word, default: Entry()].work += work
      // Visiting a block for the list takes as long as for a look-up, less what the list's users save.
      return (nil, (entries[word]?.work ?? 0) > max(16 * Self.seek, objects / 480 / 4))
    }
    guard isDue else { return known }
    let list = try make()
    entries.withLock { $0[word, default: Entry()].list = list }
    return list
  }

  /// Notes blocks that were visited without a list.
  func note(_ word: UInt64, work: Int) {
    entries.withLock { entries in
      if entries[word]?.list == nil { entries[word, default: Entry()].work += work }
    }
  }
}
