import LarderObservation
import LarderStorage

/// Keys of objects at one moment, and what makes accessors of them.
@usableFromInline
final class _ObjectSequence {
  /// The number of objects that are there for certain: all, or those of the clusters that the loop has come to. Of a version they are counted by
  /// the presence bits as the loop gets to them, whatever the catalog counts.
  @exclusivity(unchecked) @usableFromInline private(set) var known: Int
  // Touched once per object: no exclusivity checks.
  /// The keys from a position on: all of them, those of one cluster of `version`, or a part of `delivered`.
  @exclusivity(unchecked) private var keys: [ObjectKey]
  @exclusivity(unchecked) private var firstPosition = 0
  /// The version that all objects of the class are read from, cluster by cluster.
  private let version: Snapshot?
  @exclusivity(unchecked) private var nextCluster = 0
  /// Keys that came with a notification.
  private let delivered: KeySequence?
  private let cursor: _ClassCursor
  private let host: ObjectHost
  private let stamp: UInt64
  private let epoch: UInt32
  /// The accessor given out last; owned, and not counted by anybody else while `soleReference` is its count.
  @exclusivity(unchecked) private var last: Unmanaged<ObjectBase>?
  private let soleReference: UInt64?
  /// The cluster of the last object, and its first key.
  @exclusivity(unchecked) private var cluster: UInt64 = 0
  @exclusivity(unchecked) private var firstKey: UInt64 = 0
  private let clusterSize: UInt64

  convenience init(_ keys: [ObjectKey], _ cursor: _ClassCursor) { self.init(keys, keys.count, nil, nil, cursor) }

  /// Objects in the order of a sequence, of which a part at a time is unpacked.
  convenience init(_ delivered: KeySequence, _ cursor: _ClassCursor) {
    self.init([], delivered.count, nil, delivered, cursor)
  }

  /// All objects of the class in a version.
  convenience init(of version: Snapshot, _ cursor: _ClassCursor) {
    self.init([], 0, version, nil, cursor)
  }

  private init(
    _ keys: [ObjectKey], _ count: Int, _ version: Snapshot?, _ delivered: KeySequence?, _ cursor: _ClassCursor
  ) {
    self.delivered = delivered
    self.keys = keys
    known = count
    self.version = version
    self.cursor = cursor
    host = cursor.host
    stamp = cursor.host.stamp
    epoch = cursor.host.version.epoch
    clusterSize = UInt64(cursor.clusterSize)
    // A frozen Realm is read from many threads.
    soleReference = cursor.host.isFrozen ? nil : cursor.model.template?.soleReference
  }

  deinit { last?.release() }

  /// An accessor; an invalidated one when the object was deleted since.
  @usableFromInline
  func object(_ position: Int) -> ObjectBase {
    var offset = position &- firstPosition
    if offset < 0 || offset >= keys.count {
      load(position)
      offset = position - firstPosition
    }
    let key = keys[offset]
    let object = reused(key) ?? made(key)
    if host.stamp != stamp, isGone(key) { object.detach() }
    return object
  }

  /// Returns true if an object was deleted since the loop began; misuse when the Realm was invalidated.
  private func isGone(_ key: ObjectKey) -> Bool {
    if host.version.epoch != epoch {
      misuse("The collection is no longer valid: its Realm was invalidated while a loop over it was under way.")
    }
    return !cursor.isPresent(key)
  }

  /// Loads the keys of the cluster or part in which a position is: mostly the next one.
  @inline(never)
  private func load(_ position: Int) {
    if let delivered { (firstPosition, keys) = delivered.part(at: position) }
    guard let version else { return }
    if position < firstPosition {
      keys = []
      firstPosition = 0
      nextCluster = 0
    }
    let clusters = orMisuse { try version.liveClusters(of: cursor.classID) }
    while position - firstPosition >= keys.count, nextCluster < clusters.count { loadNext(clusters, version) }
  }

  private func loadNext(_ clusters: LiveClusters, _ version: Snapshot) {
    firstPosition += keys.count
    let cluster = clusters[nextCluster]
    let presence = orMisuse { try version.presence(cursor.classID, cluster: cluster) }
    keys = presence.map { presentKeys($0, from: UInt64(cluster) * clusterSize) } ?? []
    nextCluster += 1
  }

  /// Looks for objects beyond a number of them; false at the end. Copies of an iterator share the sequence, so that they may be known already.
  @usableFromInline
  func findMore(than count: Int) -> Bool {
    if known > count { return true }
    guard let version else { return false }
    let clusters = orMisuse { try version.liveClusters(of: cursor.classID) }
    while firstPosition + keys.count <= known, nextCluster < clusters.count { loadNext(clusters, version) }
    known = max(known, firstPosition + keys.count)
    return known > count
  }

  /// The keys of a cluster's objects; whole words of present slots are written without looking at each bit.
  private func presentKeys(_ presence: LeafView, from first: UInt64) -> [ObjectKey] {
    let slots = presence.count
    return [ObjectKey](unsafeUninitializedCapacity: (slots + 63) & ~63) { buffer, count in
      for word in 0..<(slots + 63) / 64 {
        var bits = presence.pointers.bitWord(word)
        let start = first &+ UInt64(word &<< 6)
        if bits == .max, word &<< 6 &+ 64 <= slots {
          for slot in 0..<64 {
            buffer.initializeElement(at: count &+ slot, to: ObjectKey(rawValue: start &+ UInt64(slot)))
          }
          count &+= 64
          continue
        }
        while bits != 0 {
          let slot = bits.trailingZeroBitCount
          if word &<< 6 &+ slot < slots {
            buffer.initializeElement(at: count, to: ObjectKey(rawValue: start &+ UInt64(slot)))
            count &+= 1
          }
          bits &= bits &- 1
        }
      }
    }
  }

  /// The last accessor, if nothing kept it.
  @inline(__always)
  private func reused(_ key: ObjectKey) -> ObjectBase? {
    guard let last, ObjectMemory.counts(of: last) == soleReference else { return nil }
    if last._withUnsafeGuaranteedRef({ $0.isDetached }) { return nil }
    locate(key)
    let slot = Int(truncatingIfNeeded: key.rawValue &- firstKey)
    last._withUnsafeGuaranteedRef { $0.move(to: key, cursor, cluster: cluster, slot: slot) }
    return ObjectMemory.retainedAlone(last)
  }

  private func made(_ key: ObjectKey) -> ObjectBase {
    let object = cursor.object(key)
    if soleReference != nil {
      last?.release()
      last = Unmanaged.passRetained(object)
    }
    return object
  }

  /// Finds the key's cluster; neighbours mostly share it.
  @inline(__always)
  private func locate(_ key: ObjectKey) {
    if key.rawValue &- firstKey < clusterSize { return }
    cluster = key.rawValue / clusterSize
    firstKey = cluster &* clusterSize
  }
}
