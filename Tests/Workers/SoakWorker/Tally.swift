import Larder
import Synchronization

/// The events of a run, counted across threads.
final class Tally: Sendable {
  struct Counts {
    var commits = 0
    var deliveries = 0
    var frozenReads = 0
    var wrong = 0
    var mostVersions = 0
    /// Commits between the oldest version in use and the newest one, seen after a commit.
    var mostBehind = 0
    /// The one that was in use for longest.
    var oldest: Realm.LiveVersion?
  }

  private let counts = Mutex(Counts())
  func note(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }
  var all: Counts { counts.withLock { $0 } }
}
