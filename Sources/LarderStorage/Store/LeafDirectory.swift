import LarderLMDB
import Synchronization

/// Where the leaves of one column lie in one snapshot, found once per cluster.
///
/// Finding a leaf in the B+tree costs about a quarter of a microsecond, and its checksum is verified then; after that
/// a look-up is an array access under an uncontended lock.
final class LeafDirectory: Sendable {
  private enum Slot {
    case unknown
    case absent
    case leaf(ByteView)
  }

  /// The slots of neighbouring clusters, empty until one of them is touched: most versions are asked for a few leaves.
  private typealias Chunk = ContiguousArray<Slot>

  private static let chunkSize = 32

  private let chunks = Mutex<ContiguousArray<Chunk>>([])

  /// The leaf's bytes, or nil when none is stored; `load` runs on the first touch of the cluster.
  func bytes(cluster: Int, of count: Int, load: () throws -> ByteView?) rethrows -> ByteView? {
    let (number, place) = cluster.quotientAndRemainder(dividingBy: Self.chunkSize)
    let known = chunks.withLock { chunks -> Slot in
      number < chunks.count && !chunks[number].isEmpty ? chunks[number][place] : .unknown
    }
    switch known {
    case .leaf(let view): return view
    case .absent: return nil
    case .unknown: break
    }
    let found = try load()
    guard cluster < count else { return found }
    chunks.withLock { chunks in
      if chunks.isEmpty {
        chunks = ContiguousArray(repeating: [], count: (count + Self.chunkSize - 1) / Self.chunkSize)
      }
      if chunks[number].isEmpty { chunks[number] = Chunk(repeating: .unknown, count: Self.chunkSize) }
      chunks[number][place] = found.map(Slot.leaf) ?? .absent
    }
    return found
  }
}
