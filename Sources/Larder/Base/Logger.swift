import Foundation
import LarderLocks

/// The amount that is logged: each level includes those before it.
@frozen
public enum LogLevel: UInt, Sendable, CustomStringConvertible {
  /// Nothing.
  case off = 0
  /// Faults that end the process.
  case fatal
  /// Faults that have no caller to be reported to, such as an observation that ended.
  case error
  /// Events that work and should be looked at, such as the main thread waiting long for the write lock.
  case warn
  /// Events that happen seldom: migrations, compaction.
  case info
  /// More than that.
  case detail
  /// For finding faults.
  case debug
  /// For finding faults of the library.
  case trace
  /// Everything.
  case all

  public var description: String {
    switch self {
    case .off: "off"
    case .fatal: "fatal"
    case .error: "error"
    case .warn: "warn"
    case .info: "info"
    case .detail: "detail"
    case .debug: "debug"
    case .trace: "trace"
    case .all: "all"
    }
  }
}

/// A receiver of the library's log messages: `Logger.shared = Logger(level: .debug) { level, text in … }`.
///
/// The shared logger writes `.info` and above to standard error. May be used, and its function called, on any thread.
open class Logger: NSObject, @unchecked Sendable {
  // Unchecked: open for subclasses; its own state is guarded by a lock.
  private let current: Lock<LogLevel>
  private let logFunction: @Sendable (LogLevel, String) -> Void

  /// A logger that hands messages up to a level to a function.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    current = Lock(level)
    self.logFunction = logFunction
    super.init()
  }

  /// Messages of later levels are dropped.
  open var level: LogLevel {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// The logger that the library uses.
  open class var shared: Logger {
    get { sharedLogger.withLock { $0 } }
    set { sharedLogger.withLock { $0 = newValue } }
  }

  /// Hands on a message; its text is only made when it is wanted.
  package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level != .off, level.rawValue <= self.level.rawValue else { return }
    logFunction(level, message())
  }
}

private let sharedLogger = Lock(
  Logger(level: .info) { level, message in
    FileHandle.standardError.write(Data("Larder [\(level)] \(message)\n".utf8))
  })
