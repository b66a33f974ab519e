/// The use of a watched file by other processes, as far as it is seen.
package struct ForeignUse: Sendable, Equatable {
  /// True if another process reads the file, or may.
  package var hasReaders: Bool
  /// The newest commit where another process made it; 0 where this process did.
  package var commit: UInt64

  package init(hasReaders: Bool, commit: UInt64) {
    self.hasReaders = hasReaders
    self.commit = commit
  }
}

/// The choice whether to hear of each write to a watched file, or of openings alone: as long as no other process has the file open, the writes are
/// the own ones, and reporting them costs the system a tenth of a small commit.
///
/// A process that opens the file has a moment to take a reader's slot, by which it is seen from then on. One that takes none and commits is noticed
/// with the next look; the file's writes are heard of for good then.
struct WatchMode: Equatable {
  /// Nanoseconds after an opening in which who opened it takes a slot.
  static let opening: UInt64 = 50_000_000
  /// Nanoseconds between looks.
  static let interval: UInt64 = 1_000_000_000
  /// Looks after the first come at multiples of these nanoseconds, so that one waking of the thread serves many files.
  static let step: UInt64 = 125_000_000

  private(set) var hearsWrites = true
  /// The time of the next look, by the clock that the calls give.
  private(set) var due: UInt64
  /// The newest foreign commit at the last look.
  private var commit: UInt64 = 0
  private var hasMissed = false

  init(now: UInt64) { due = now &+ Self.opening }

  /// The file was opened, by whatever process.
  mutating func opened(now: UInt64) {
    hearsWrites = true
    due = now &+ Self.opening
  }

  /// Decides what to hear of from now on.
  ///
  /// - Returns: Whether there was a commit that could not be heard of.
  mutating func look(_ use: ForeignUse, now: UInt64) -> Bool {
    let missed = !hearsWrites && use.commit != 0 && use.commit != commit
    hasMissed = hasMissed || missed
    hearsWrites = use.hasReaders || hasMissed
    commit = use.commit
    due = (now &+ Self.interval) / Self.step * Self.step
    return missed
  }
}
