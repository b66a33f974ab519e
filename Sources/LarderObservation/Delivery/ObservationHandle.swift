import LarderLocks

/// An observation; it ends when this goes away or is invalidated (N-63).
package final class ObservationHandle: Sendable {
  package let id: Int
  private let group: Lock<ObservationGroup?>

  init(id: Int, group: ObservationGroup) {
    self.id = id
    self.group = Lock(group)
  }

  deinit { invalidate() }

  /// Ends the observation. Once this has returned on the delivering context no call is begun, even if one was ready.
  /// From any thread, from inside of a call, and more than once.
  package func invalidate() {
    let owner = group.withLock { group in
      defer { group = nil }
      return group
    }
    owner?.remove(id)
  }

  /// True if the observation has not been ended.
  package var isValid: Bool { group.withLock { $0 != nil } }

  /// Returns true if it belongs to the group.
  package func belongs(to group: ObservationGroup) -> Bool { self.group.withLock { $0 === group } }
}
