import LarderLocks

/// The amount of the file that may still be read in one go.
///
/// A sound file refers to each of its nodes once, so that reading all of it takes work in proportion to its size. In a file that refers to
/// a node many times, or to itself, the limit ends the reading.
final class WorkLimit: Sendable {
  private let left: Lock<Int>

  /// - Parameters:
  ///   - size: Bytes of the file.
  ///   - times: How often parts of it may be read again.
  init(size: Int, times: Int = 1) { left = Lock((2 * size + 4_096) * times) }

  /// Takes the work for a node from the limit; returns false where too little is left.
  func take(elements: Int, bytes: Int) -> Bool {
    left.withLock {
      $0 -= 1 + elements / 64 + bytes / 16
      return $0 >= 0
    }
  }
}
