import Foundation

/// Tells cheaply whether an entry of a directory came, went, or became another: its time of change says so.
///
/// One question about the open directory costs a fifth of two about paths, which the system walks. A directory that moved away whole goes
/// unnoticed; so do entries where the system does not keep this time.
struct DirectoryEntries: ~Copyable {
  /// The time of the last change of the entries.
  struct Change: Equatable, Sendable {
    let seconds: Int64
    let nanoseconds: Int64

    /// Returns true if another change could carry the same time: kernels before Linux 6.13 count in ticks of up to ten milliseconds.
    func isRecent(at now: timespec) -> Bool {
      // A `Duration` holds the distance of any two times; nanoseconds of 64 bits hold 292 years.
      let passed = Duration.seconds(Int64(now.tv_sec)) - .seconds(seconds)
      return passed + .nanoseconds(Int64(now.tv_nsec)) - .nanoseconds(nanoseconds) < .milliseconds(20)
    }
  }

  private let descriptor: OwnedDescriptor

  /// Nil when the directory may not be opened.
  init?(of path: String) {
    guard let opened = try? OwnedDescriptor(path: directoryPath(of: path), flags: O_RDONLY | O_DIRECTORY) else {
      return nil
    }
    descriptor = opened
  }

  /// The identity of the directory.
  var identity: FileIdentity? { try? FileIdentity(descriptor.status()) }

  /// Returns the time of the last change of the entries; nil when that cannot be known, or was so short ago that more could follow unseen.
  func change() -> Change? {
    var status = stat()
    var now = timespec()
    guard fstat(descriptor.number, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
    #if os(Linux)
      let time = status.st_ctim
    #else
      let time = status.st_ctimespec
    #endif
    let change = Change(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    return change.isRecent(at: now) ? nil : change
  }
}
