import Foundation

/// Wakes a thread that waits for descriptors.
final class WakeUp: Sendable {
  /// Readable when there was a call since `clear`.
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let made = pipe(&ends)
    precondition(made == 0, "the process has no file descriptor left for a pipe")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    descriptor = ends[0]
    writing = ends[1]
  }

  deinit {
    Foundation.close(descriptor)
    Foundation.close(writing)
  }

  /// A pipe that is full wakes as well.
  func call() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 512)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
