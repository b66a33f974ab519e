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

  private let slots = Mutex<[Slot]>([])

  /// The leaf's bytes, or nil when none is stored; `load` runs on the first touch of the cluster.
  func bytes(cluster: Int, of count: Int, load: () throws -> ByteView?) rethrows -> ByteView? {
    let known = slots.withLock { slots -> Slot in
      cluster < slots.count ? slots[cluster] : .unknown
    }
    switch known {
    case .leaf(let view): return view
    case .absent: return nil
    case .unknown: break
    }
    let found = try load()
    slots.withLock { slots in
      if slots.count < count { slots += [Slot](repeating: .unknown, count: count - slots.count) }
      if cluster < slots.count { slots[cluster] = found.map(Slot.leaf) ?? .absent }
    }
    return found
  }
}
