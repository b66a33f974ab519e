import LarderStorage

/// Keys of objects at one moment, and what makes accessors of them.
@usableFromInline
final class _ObjectSequence {
  let keys: [ObjectKey]
  private let cursor: _ClassCursor
  private let core: RealmCore
  private let stamp: UInt64
  /// The accessor given out last; owned, and not counted by anybody else while `soleReference` is its count.
  private var last: Unmanaged<ObjectBase>?
  private let soleReference: UInt64?
  /// The cluster of the last object, and its first key.
  private var cluster: UInt64 = 0
  private var firstKey: UInt64 = 0
  private let clusterSize: UInt64

  init(_ keys: [ObjectKey], _ cursor: _ClassCursor) {
    self.keys = keys
    self.cursor = cursor
    core = cursor.core
    stamp = cursor.core.stamp
    clusterSize = UInt64(cursor.clusterSize)
    // A frozen Realm is read from many threads.
    soleReference = cursor.core.isFrozen ? nil : cursor.model.template?.soleReference
  }

  deinit { last?.release() }

  /// An accessor; an invalidated one when the object was deleted since.
  @usableFromInline
  func object(_ position: Int) -> ObjectBase {
    let key = keys[position]
    let object = reused(key) ?? made(key)
    if core.stamp != stamp, !cursor.isPresent(key) { object.detach() }
    return object
  }

  /// The last accessor, if nobody kept it.
  @inline(__always)
  private func reused(_ key: ObjectKey) -> ObjectBase? {
    guard let last, ObjectTemplate.references(to: last) == soleReference else { return nil }
    if last._withUnsafeGuaranteedRef({ $0.isDetached }) { return nil }
    locate(key)
    let slot = Int(truncatingIfNeeded: key.rawValue &- firstKey)
    last._withUnsafeGuaranteedRef { $0.move(to: key, cursor, cluster: cluster, slot: slot) }
    return ObjectTemplate.retained(last)
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
