import LarderLMDB

/// Something wrong with the log.
package struct LogProblem: Hashable, Sendable, CustomStringConvertible {
  /// The version concerned; nil for the log as a whole.
  package let version: UInt64?
  package let message: String

  package var description: String { version.map { "log, version \($0): \(message)" } ?? "log: \(message)" }
}

extension ChangeLog {
  /// Checks that the log holds every version from its floor to the newest, each decodable, with times that rise, and
  /// that consumers, origins and tombstones make sense. O(log).
  package func verify(floor: UInt64, newest: UInt64, in source: some LogSource) throws -> [LogProblem] {
    var problems: [LogProblem] = []
    try verifyRecords(floor: floor, newest: newest, in: source, &problems)
    try verifyConsumers(floor: floor, newest: newest, in: source, &problems)
    try verifyTombstones(newest: newest, in: source, &problems)
    return problems
  }

  private func verifyRecords(
    floor: UInt64, newest: UInt64, in source: some LogSource, _ problems: inout [LogProblem]
  ) throws {
    let cursor = try source.logCursor(log)
    let originCount = try origins(in: source).count
    var expected = floor
    var lastTime = HybridTime.zero
    var entry = try cursor.first()
    while let found = entry {
      let version = try ChangeLog.version(of: found)
      if version != expected { problems.append(LogProblem(version: version, message: "expected version \(expected)")) }
      do {
        let record = try CommitRecord(decoding: found.value, version: version)
        if record.time <= lastTime {
          problems.append(LogProblem(version: version, message: "its time does not rise"))
        }
        if record.origin != 0, Int(record.origin) >= originCount {
          problems.append(LogProblem(version: version, message: "origin \(record.origin) is unknown"))
        }
        lastTime = record.time
      } catch let error as StorageError {
        problems.append(LogProblem(version: version, message: error.message))
      }
      expected = version &+ 1
      entry = try cursor.next()
    }
    if expected != newest &+ 1 {
      problems.append(LogProblem(version: nil, message: "ends before version \(expected), the newest is \(newest)"))
    }
  }

  private func verifyConsumers(
    floor: UInt64, newest: UInt64, in source: some LogSource, _ problems: inout [LogProblem]
  ) throws {
    for consumer in try consumers(in: source) {
      if consumer.consumed > newest {
        problems.append(LogProblem(version: nil, message: "consumer '\(consumer.name)' is ahead of the store"))
      }
      if !consumer.isExpired, floor > 0, consumer.consumed < floor - 1 {
        problems.append(
          LogProblem(version: nil, message: "records that consumer '\(consumer.name)' needs are missing"))
      }
    }
  }

  private func verifyTombstones(newest: UInt64, in source: some LogSource, _ problems: inout [LogProblem]) throws {
    let cursor = try source.logCursor(tombstones)
    var entry = try cursor.first()
    while let found = entry {
      do {
        let tombstone = try Tombstone(decoding: found.value)
        if tombstone.version > newest {
          problems.append(LogProblem(version: tombstone.version, message: "a tombstone is newer than the store"))
        }
      } catch let error as StorageError {
        problems.append(LogProblem(version: nil, message: error.message))
      }
      entry = try cursor.next()
    }
  }
}
