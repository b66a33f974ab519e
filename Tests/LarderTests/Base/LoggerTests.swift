import LarderLocks
import Testing

@testable import Larder

@Suite("Logging") struct LoggerTests {
  @Test("A logger hands on messages up to its level, and makes no text for others") func levels() {
    let seen = Lock<[String]>([])
    let logger = Logger(level: .warn) { level, text in seen.withLock { $0.append("\(level) \(text)") } }
    logger.log(.error, "first")
    logger.log(.info, fail())
    logger.level = .all
    logger.log(.trace, "second")
    logger.level = .off
    logger.log(.fatal, fail())
    #expect(seen.withLock { $0 } == ["error first", "trace second"])
    #expect(logger.level == .off && LogLevel.all.rawValue == 8)
    #expect(Logger.shared.level == .info)
  }

  private func fail() -> String {
    Issue.record("made a text that is never shown")
    return ""
  }
}
