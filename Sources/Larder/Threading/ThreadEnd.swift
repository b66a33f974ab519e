import Foundation

/// Something that belongs to a thread and is informed when the thread ends.
protocol ThreadFollower: AnyObject, Sendable {
  /// Called once, on the thread, as one of the last things it does.
  func threadEnds()
}

/// Keeps one follower for each thread, and tells it of the thread's end.
///
/// A `Thread` of Foundation is not enough: its dictionary lives as long as what holds the `Thread`, and threads may have been
/// made by others.
enum ThreadEnd {
  private static let place = ThreadPointer { kept in
    Unmanaged<Kept>.fromOpaque(kept).takeRetainedValue().follower.threadEnds()
  }

  private final class Kept {
    let follower: any ThreadFollower
    init(_ follower: any ThreadFollower) { self.follower = follower }
  }

  /// The calling thread's follower, made at the first call. Where the system has no room for one, each call makes another, which is
  /// never told.
  static func follower<Follower: ThreadFollower>(_ make: () -> Follower) -> Follower {
    guard let place else { return make() }
    if let kept = place.value,
      let known = Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue().follower as? Follower
    {
      return known
    }
    let made = make()
    let kept = Unmanaged.passRetained(Kept(made))
    if !place.set(kept.toOpaque()) { kept.release() }
    return made
  }
}
