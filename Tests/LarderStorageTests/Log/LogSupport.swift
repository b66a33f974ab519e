import Foundation
import LarderLMDB

@testable import LarderStorage

/// A generator that gives the same numbers for the same seed.
struct LogRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// An environment in a folder of its own, with the log's tables.
struct LogFixture {
  let folder: URL
  let environment: Environment
  let log: ChangeLog

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var options = EnvironmentOptions(tables: StoreLayout.tables)
    options.durability = .none
    options.mapSize = 1 << 30
    environment = try Environment.open(path: folder.appendingPathComponent("log.larder").path, options: options)
    log = ChangeLog(environment)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    let transaction = try environment.beginWrite()
    let result = try body(transaction)
    try transaction.commit()
    return result
  }

  /// Appends empty records for the versions.
  func fill(_ versions: ClosedRange<UInt64>) throws {
    try write { transaction in
      for version in versions {
        try log.append(CommitRecord(time: HybridTime(rawValue: version)), version: version, in: transaction)
      }
    }
  }
}

extension ClassID {
  static let people = ClassID(rawValue: 1)
  static let places = ClassID(rawValue: 2)
}

func column(_ number: UInt16) -> ColumnID { ColumnID(rawValue: number) }
func key(_ number: UInt64) -> ObjectKey { ObjectKey(rawValue: number) }
func ranges(_ keys: UInt64...) -> KeyRanges { KeyRanges(keys.map { ObjectKey(rawValue: $0) }) }

extension Array where Element == UInt8 {
  func withView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    let padded = self + [0]
    return try padded.withUnsafeBytes { try body(ByteView(base: $0.baseAddress!, count: count)) }
  }
}
