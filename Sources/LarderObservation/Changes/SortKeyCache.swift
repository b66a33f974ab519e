import LarderLocks
import LarderQuery
import LarderStorage

/// The values that some elements of a sorted query are sorted by, kept from version to version.
///
/// To find an element's place some twenty others are compared with it, and reading the value of each is most of the work. Those at the anchors of the
/// sequence (one in 64) are asked for again and again, and kept here: all that follows is looked up in a stretch of a few dozen. Values are right for
/// one version; objects that change are forgotten on the way to the next.
final class SortKeyCache: Sendable {
  private struct State {
    var version: UInt64 = 0
    var values: [ObjectKey: [SortValue]] = [:]
    /// Most entries: anchors come and go as a sequence changes.
    var limit = CachePolicy.sortKeys(anchors: 0)
  }

  private let state = Lock(State())

  /// Keeps the values of anchors, and nothing else.
  ///
  /// - Parameter anchors: How many there are.
  func learn(_ values: [ObjectKey: [SortValue]], anchors: Int, version: UInt64) {
    state.withLock { $0 = State(version: version, values: values, limit: CachePolicy.sortKeys(anchors: anchors)) }
  }

  /// Returns what is known between two versions, of elements that are in both.
  func step(from older: UInt64, to newer: UInt64, changed: KeyRanges) -> SortStep {
    state.withLock { state in
      if state.version == older {
        changed.forEach { state.values[$0] = nil }
      } else {
        state.values = [:]
      }
      state.version = newer
    }
    return SortStep(memory: self, version: newer, changed: changed)
  }

  /// Number of elements whose values are kept.
  var count: Int { state.withLock { $0.values.count } }

  fileprivate func known(_ key: ObjectKey, version: UInt64) -> [SortValue]? {
    state.withLock { $0.version == version ? $0.values[key] : nil }
  }

  fileprivate func keep(_ values: [SortValue], of key: ObjectKey, version: UInt64) {
    state.withLock { state in
      // Another may follow the same query at other versions.
      guard state.version == version else { return }
      if state.values.count >= state.limit { state.values = [:] }
      state.values[key] = values
    }
  }
}

/// The values known between two versions of a sorted query.
package struct SortStep {
  fileprivate let memory: SortKeyCache
  fileprivate let version: UInt64
  fileprivate let changed: KeyRanges

  /// Returns the values that an anchor is sorted by, read when they are not known. Objects that change on the way are read every time.
  func values(_ key: ObjectKey, read: () throws -> [SortValue]) rethrows -> [SortValue] {
    if changed.contains(key) { return try read() }
    if let known = memory.known(key, version: version) { return known }
    let found = try read()
    memory.keep(found, of: key, version: version)
    return found
  }
}
