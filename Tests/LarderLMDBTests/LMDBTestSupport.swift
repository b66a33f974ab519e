import Foundation
import LarderLMDB
import TestSupport
import Testing

/// An environment in a fresh directory, with the tables "a" and "b"; small enough for a sanitizer's address space.
func openEnvironment(
  _ directory: TemporaryDirectory, _ name: String = "data", _ change: (inout EnvironmentOptions) -> Void = { _ in }
) throws -> Environment {
  var options = EnvironmentOptions(tables: ["a", "b"])
  options.mapSize = 1 << 30
  options.durability = .none
  change(&options)
  return try Environment.open(path: directory.file(name), options: options)
}

extension Environment {
  /// Stores values under integer keys of table "a" and commits.
  func store(_ keys: some Sequence<UInt64>, size: Int = 8, fill: UInt8 = 1) throws {
    try write { transaction in
      for key in keys {
        try transaction.put(table("a"), KeyBytes(key), [UInt8](repeating: fill, count: size))
      }
    }
  }

  /// The first byte of a value of table "a", nil when there is none.
  func fill(of key: UInt64) throws -> UInt8? { try beginRead().fill(of: key) }
}

extension ReadTransaction {
  func fill(of key: UInt64) throws -> UInt8? { try get(environment.table("a"), KeyBytes(key))?.bytes.first }

  /// Number of entries of table "a".
  var count: Int { get throws { try statistics(environment.table("a")).entries } }
}

/// The code of the `LMDBError` that `body` throws; records an issue when it throws none.
@discardableResult
func code(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> LMDBError.Code? {
  error(sourceLocation: sourceLocation, body)?.code
}

/// The `LMDBError` that `body` throws; records an issue when it throws none.
@discardableResult
func error(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> LMDBError? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as LMDBError {
    return error
  } catch {
    Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
  }
  return nil
}

/// Runs `body` on a thread of its own, waits for it, and rethrows.
func onOtherThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
  let box = ResultBox<R>()
  let done = DispatchSemaphore(value: 0)
  Thread {
    box.result = Result { try body() }
    done.signal()
  }.start()
  done.wait()
  return try #require(box.result).get()
}

private final class ResultBox<R>: @unchecked Sendable {
  // Unchecked: written by one thread before it signals, read by the other after the signal.
  var result: Result<R, any Error>?
}

/// Lets a value cross to another thread where a test does exactly what the types forbid.
struct Smuggled<Value>: @unchecked Sendable {
  // Unchecked: that is the point of the test.
  let value: Value
}

func mode(_ path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

func fileSize(_ path: String) -> Int {
  var status = stat()
  return lstat(path, &status) == 0 ? Int(status.st_size) : -1
}
