import BenchSQLite
import Foundation
import Larder

/// Processes that commit one object a transaction to one store at the same time.
enum ProcessCommits {
  static let trial = Trial(
    ids: ["commit-processes-disk"], entrants: ["larder": LarderEntrant.self, "sqlite": SQLiteEntrant.self],
    isOnDisk: true)

  /// The first argument of a process that commits; a peer, a directory and the number of the process follow it.
  static let argument = "--commit-as-process"

  private static let processes = 4
  private static let commits = 250

  /// Commits in the process that was started for it: says that it is there, begins after a line of input, and says what processor time it took.
  static func commit(_ arguments: ArraySlice<String>) throws {
    guard let number = arguments.last.flatMap({ Int($0) }), let directory = arguments.dropFirst().first else {
      throw BenchmarkError("\(argument) needs a peer, a directory and a number")
    }
    let rows = ThreadCommits.rows(Dataset(count: 1_000), number * commits..<(number + 1) * commits)
    func measured(_ work: () throws -> Void) rethrows {
      print("ready")
      fflush(nil)
      _ = readLine()
      print(try Stopwatch.measure(work).processor)
    }
    if arguments.first == "larder" {
      let realm = try LarderPeer.open(directory, [Person.self])
      try measured { for row in rows { try realm.write { realm.add(Person(row)) } } }
    } else {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      sqlite3_busy_timeout(database.handle, 60_000)
      let statement = try database.personStatement()
      try measured { for row in rows { try database.transaction { try database.insert(row, statement) } } }
      try database.close()
    }
  }

  /// Starts the processes, and measures from when all are there until the last one has ended.
  private static func run(_ peer: String, _ directory: String, _ meter: inout Meter) throws {
    let children = try (0..<processes).map { number in
      try WaitingProcess(arguments: [argument, peer, directory, "\(number)"])
    }
    for child in children { child.waitUntilReady() }
    let start = ContinuousClock.now
    for child in children { try child.begin() }
    let processor = try children.reduce(0) { try $0 + $1.waitUntilEnded() }
    let wall = start.duration(to: .now) / .nanoseconds(1)
    meter.add(
      "commit-processes-disk", Spent(wall: wall, processor: processor),
      units: processes * commits)
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      try ProcessCommits.run("larder", directory, &meter)
      realm.refresh()
      let answer = LarderPeer.peopleContents(realm)
      realm.invalidate()
      return answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try ProcessCommits.run("sqlite", directory, &meter)
      let answer = try database.peopleContents()
      try database.close()
      return answer
    }
  }
}

/// This program once more, which waits for a line of input before it begins.
private struct WaitingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).standardizedFileURL
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func waitUntilReady() { _ = output.fileHandleForReading.availableData }
  func begin() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  /// Returns the processor time that it says its work took.
  func waitUntilEnded() throws -> Double {
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let spent = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else {
      throw BenchmarkError("a process that commits ended with \(process.terminationStatus): \(text)")
    }
    return spent
  }
}
