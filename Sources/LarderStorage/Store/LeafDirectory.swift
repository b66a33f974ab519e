import LarderLMDB
import LarderLocks

/// The leaves of one class in one snapshot, each found once per column and cluster.
///
/// Finding a leaf in the B+tree costs about a quarter of a microsecond, and its checksum is verified then; after that a look-up is two array accesses
/// under an uncontended lock.
final class LeafDirectory: Sendable {
  private enum Slot {
    case unknown
    case absent
    case leaf(ByteView)
  }

  /// The slots of neighbouring clusters, empty until one of them is touched: most versions are asked for a few leaves.
  private typealias Chunk = ContiguousArray<Slot>

  private static let chunkSize = 8

  private let columns: Int
  private let chunksPerColumn: Int
  /// The slots that were touched: at first leaf by leaf, then the chunks by column and number: in an array, or where most clusters are empty in a
  /// table.
  private struct Chunks {
    var first: ContiguousArray<(index: Int, place: Int, slot: Slot)> = []
    var all: ContiguousArray<Chunk?> = []
    var touched: [Int: Chunk] = [:]
  }

  /// A version that is asked for no more leaves has no array, which would take as long to make and to release as the store is large.
  private static let mostFirst = 12

  private let isSparse: Bool
  private let chunks = Lock(Chunks())

  /// - Parameters:
  ///   - columns: One more than the highest column number.
  ///   - clusters: The clusters of the class.
  ///   - isSparse: Most of them are empty.
  init(columns: Int, clusters: Int, isSparse: Bool = false) {
    self.columns = columns
    self.isSparse = isSparse
    chunksPerColumn = (clusters + Self.chunkSize - 1) / Self.chunkSize
  }

  func has(_ column: ColumnID) -> Bool { Int(column.rawValue) < columns }

  /// Makes a leaf the one that is found there.
  func set(_ column: ColumnID, cluster: Int, _ leaf: ByteView) {
    let (number, place) = cluster.quotientAndRemainder(dividingBy: Self.chunkSize)
    guard number < chunksPerColumn else { return }
    chunks.withLock { note(.leaf(leaf), Int(column.rawValue) * chunksPerColumn + number, place, &$0) }
  }

  private func note(_ slot: Slot, _ index: Int, _ place: Int, _ chunks: inout Chunks) {
    if chunks.all.isEmpty, chunks.touched.isEmpty {
      if let known = Self.find(index, place, chunks) {
        chunks.first[known].slot = slot
        return
      }
      if chunks.first.count < Self.mostFirst {
        chunks.first.append((index, place, slot))
        return
      }
      for entry in chunks.first { noteChunk(entry.slot, entry.index, entry.place, &chunks) }
      chunks.first = []
    }
    noteChunk(slot, index, place, &chunks)
  }

  /// Returns the position of a leaf among the first. A loop that counts no reference.
  @inline(__always)
  private static func find(_ index: Int, _ place: Int, _ chunks: borrowing Chunks) -> Int? {
    var number = 0
    while number < chunks.first.count {
      if chunks.first[number].index == index, chunks.first[number].place == place { return number }
      number += 1
    }
    return nil
  }

  private func noteChunk(_ slot: Slot, _ index: Int, _ place: Int, _ chunks: inout Chunks) {
    if isSparse {
      chunks.touched[index, default: Chunk(repeating: .unknown, count: Self.chunkSize)][place] = slot
      return
    }
    if chunks.all.isEmpty { chunks.all = ContiguousArray(repeating: nil, count: columns * chunksPerColumn) }
    if chunks.all[index] == nil { chunks.all[index] = Chunk(repeating: .unknown, count: Self.chunkSize) }
    chunks.all[index]?[place] = slot
  }

  /// The leaf's bytes, or nil when none is stored; `load` runs on the first touch of column and cluster.
  func bytes(_ column: ColumnID, cluster: Int, load: () throws -> ByteView?) rethrows -> ByteView? {
    let (number, place) = cluster.quotientAndRemainder(dividingBy: Self.chunkSize)
    guard number < chunksPerColumn else { return try load() }
    let index = Int(column.rawValue) * chunksPerColumn + number
    let known = chunks.withLock { chunks -> Slot in
      if let known = Self.find(index, place, chunks) { return chunks.first[known].slot }
      if isSparse { return chunks.touched[index]?[place] ?? .unknown }
      return index < chunks.all.count ? chunks.all[index]?[place] ?? .unknown : .unknown
    }
    switch known {
    case .leaf(let view): return view
    case .absent: return nil
    case .unknown: break
    }
    let found = try load()
    chunks.withLock { note(found.map(Slot.leaf) ?? .absent, index, place, &$0) }
    return found
  }
}
