import Foundation
import GRDB
import Larder

/// Two thousand stores that are open in one process: how long opening one takes, and what it costs while nothing uses it.
enum ManyStores {
  static let trial = Trial(
    ids: ["stores-2000-open", "stores-2000", threads, descriptors],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self])

  static let threads = "stores-2000-threads"
  static let descriptors = "stores-2000-descriptors"

  /// The first argument of a process that opens the stores; a peer and a directory follow it.
  static let argument = "--open-stores"

  private static let stores = 2_000
  private static let people = 100

  /// The possessions of a process: bytes of its own, threads, descriptors.
  private struct Possessions: Codable {
    var bytes: Int
    var threads: Int
    var descriptors: Int

    static func now() throws -> Possessions {
      guard let bytes = MemoryPeak.ownBytes() else {
        throw BenchmarkError("the system does not say what memory is used")
      }
      return Possessions(
        bytes: bytes, threads: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count,
        descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
    }
  }

  /// The report of the process that opens the stores.
  private struct Outcome: Codable {
    var wall: Double
    var processor: Double
    var answer: Int
    var before: Possessions
    var open: Possessions
  }

  /// Opens the stores in the process that was started for it: each reads and writes once, and stays open.
  static func open(_ arguments: ArraySlice<String>) throws {
    guard let peer = arguments.first, let directory = arguments.dropFirst().first else {
      throw BenchmarkError("\(argument) needs a peer and a directory")
    }
    let outcome = peer == "larder" ? try openLarder(directory) : try openGRDB(directory)
    print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
  }

  private static func openLarder(_ directory: String) throws -> Outcome {
    StoreKeeping.current = StoreKeeping(seconds: 3_600, count: stores)
    let configurations = UserStores.configurations(directory, stores)
    return try outcome {
      try UserStores.wait {
        var ages = 0
        for configuration in configurations {
          ages += try await Realm.write(configuration: configuration) { realm in
            let people = realm.objects(Person.self)
            people.first?.age += 1
            return people.sum(of: \.age)
          }
        }
        return ages
      }
    }
  }

  private static func openGRDB(_ directory: String) throws -> Outcome {
    var pools: [DatabasePool] = []
    let outcome = try outcome {
      var ages = 0
      for user in 0..<stores {
        let pool = try UserStores.pool(directory, user)
        pools.append(pool)
        ages += try UserStores.wait {
          try await pool.write { database in
            try database.execute(sql: "UPDATE person SET age = age + 1 WHERE id = (SELECT MIN(id) FROM person)")
            return try Int.fetchOne(database, sql: "SELECT SUM(age) FROM person") ?? 0
          }
        }
      }
      return ages
    }
    for pool in pools { try pool.close() }
    return outcome
  }

  private static func outcome(_ work: () throws -> Int) throws -> Outcome {
    let before = try Possessions.now()
    var answer = 0
    let spent = try Stopwatch.measure { answer = try work() }
    return Outcome(
      wall: spent.wall, processor: spent.processor, answer: answer, before: before, open: try Possessions.now())
  }

  /// Has the stores of a directory opened by a process of its own, which has nothing but them.
  private static func run(_ peer: String, _ directory: String, _ meter: inout Meter) throws -> Answer {
    let program = ChildProcess(path: ProcessInfo.processInfo.arguments[0])
    let (_, output) = try program.run([argument, peer, directory])
    let outcome = try JSONDecoder().decode(Outcome.self, from: Data(output.utf8))
    meter.add("stores-2000-open", Spent(wall: outcome.wall, processor: outcome.processor), units: stores)
    meter.add("stores-2000", bytes: Double(outcome.open.bytes - outcome.before.bytes) / Double(stores))
    meter.add(threads, bytes: Double(outcome.open.threads))
    meter.add(descriptors, bytes: Double(outcome.open.descriptors))
    return Answer(outcome.answer)
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      try UserStores.fill(UserStores.configurations(directory, stores), data.rows.prefix(people))
      return try ManyStores.run("larder", directory, &meter)
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      for user in 0..<stores {
        let pool = try UserStores.pool(directory, user)
        try UserStores.fill(pool, data.rows.prefix(people))
        try pool.close()
      }
      return try ManyStores.run("grdb", directory, &meter)
    }
  }
}
