import LarderStorage

/// The state of a group's owner after its own commit.
package struct OwnArrival {
  enum Place {
    case at(Snapshot, isSmall: Bool)
    case unchanged
    case unreadable
  }

  let place: Place
  /// Numbers of observers.
  private(set) var skipped: Set<Int> = []
  private(set) var skippedTo: Snapshot?

  /// At a version of which observers are to be notified. `isSmall`: the commit changed little, and nothing else is in the version.
  package static func at(_ snapshot: Snapshot, isSmall: Bool) -> OwnArrival {
    OwnArrival(place: .at(snapshot, isSmall: isSmall))
  }

  /// The owner is where it was: the commit changed nothing, and there is nothing to be notified of.
  package static var unchanged: OwnArrival { OwnArrival(place: .unchanged) }

  /// No reader slot is free to read the commit: the background goes on trying.
  package static var unreadable: OwnArrival { OwnArrival(place: .unreadable) }

  private init(place: Place) { self.place = place }

  /// The observers of these handles' numbers are moved to a version without a call (N-66); they must be at the version right before it.
  package func skipping(_ ids: some Sequence<Int>, to snapshot: Snapshot) -> OwnArrival {
    var result = self
    (result.skipped, result.skippedTo) = (Set(ids), snapshot)
    return result
  }
}
