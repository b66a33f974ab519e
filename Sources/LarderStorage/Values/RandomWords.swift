import Foundation
import LarderLMDB
import LarderLocks

/// Random words of the system's, asked for many at a time: each request is a call of the system.
///
/// Safe for any thread. A child that was forked off never gives the words that its parent gives.
package final class RandomWords: Sendable {
  package static let shared = RandomWords()

  private struct State {
    var words: [UInt64] = []
    var next = 0
    var forks: UInt32 = 0
  }

  /// The number of words that the system gives in one call.
  private static let count = 256 / 8
  private let state = Lock(State())

  /// Two words that are not given again, and are not kept.
  package func pair() -> (UInt64, UInt64) {
    state.withLock { state in
      let forks = ForkCount.current
      if state.next + 2 > state.words.count || state.forks != forks {
        state.words = Self.fresh()
        (state.next, state.forks) = (0, forks)
      }
      let pair = (state.words[state.next], state.words[state.next + 1])
      state.words[state.next] = 0
      state.words[state.next + 1] = 0
      state.next += 2
      return pair
    }
  }

  private static func fresh() -> [UInt64] {
    var words = [UInt64](repeating: 0, count: count)
    let result = words.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { getentropy($0, bytes.count) } ?? -1
    }
    if result == 0 { return words }
    var random = SystemRandomNumberGenerator()
    return words.map { _ in random.next() }
  }
}
