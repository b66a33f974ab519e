import LarderLocks

@testable import LarderSync

/// A source of tokens in order, the last one for ever.
final class ModelTokens: TokenSource {
  private let state: Lock<(tokens: [String], asked: [TokenReason])>

  init(_ tokens: [String]) { state = Lock((tokens, [])) }

  /// The reasons why tokens were asked for so far.
  var asked: [TokenReason] { state.withLock { $0.asked } }

  func token(_ reason: TokenReason, attempt: Int) async throws -> String {
    try state.withLock { state in
      state.asked.append(reason)
      guard let token = state.tokens.first else { throw TokenError.signInRequired }
      if state.tokens.count > 1 { state.tokens.removeFirst() }
      return token
    }
  }
}
