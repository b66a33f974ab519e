import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import TestTraits
import Testing

/// `kill -9` at any moment of an import leaves a store that opens at a committed state.
@Suite(.long) struct CrashTests {
  private static let rows = 300
  /// Kills; `LARDER_KILLS` says how many.
  private static let kills = ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap { Int($0) } ?? 200
  /// A fresh store every so often, so that its making is interrupted, too.
  private static let killsPerStore = 25

  private static let mapping = """
    {"class": "Thing", "properties": {
      "id": {"type": "int", "primaryKey": true},
      "generation": {"type": "int", "indexed": true},
      "name": {"type": "string", "indexed": true},
      "place": {"embed": "Place", "properties": {"x": "double", "y": "double"}},
      "tags": {"type": "string", "split": ";"},
      "next": {"link": "Thing", "by": "id"}}}
    """

  /// Every object carries the generation of its file: a state between two commits would show two of them.
  private func file(_ generation: Int) -> String {
    var text = "id,generation,name,x,y,tags,next\n"
    for id in 0..<Self.rows {
      let tags = (0..<(id + generation) % 5).map { "tag\($0)-\(generation)" }.joined(separator: ";")
      text += "\(id),\(generation),name \(id * 7919 % 1000) \(generation),\(id),\(generation),\(tags),"
      text += "\((id + generation) % Self.rows)\n"
    }
    return text
  }

  @Test func killedImportsLeaveCommittedStates() throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let mapping = try directory.write(Self.mapping, to: "map.json")
      var whole = try duration(directory, mapping)
      var store = ""
      var committed = 0
      var survived = 0
      for kill in 0..<Self.kills {
        if kill % Self.killsPerStore == 0 {
          store = directory.file("s\(kill).larder")
          committed = 0
        }
        let generation = committed + 1
        let input = try directory.write(file(generation), to: "x.csv")
        let worker = try WorkerProcess(
          "larder", ["import", "--write", input, "--into", store, "--mapping", mapping, "--update", "--quiet"])
        usleep(useconds_t(random.int(0...Int(whole * 1.15 * 1e6))))
        worker.kill()
        // The machine's load changes: kills that come too late or too early move the next ones.
        whole *= worker.waitUntilExit() == 0 ? 0.95 : 1.02
        let found = try state(store)
        #expect(
          found == committed || found == generation, "kill \(kill): generation \(found), not \(committed) or one more")
        if found == generation { survived += 1 }
        committed = found
      }
      print("\(Self.kills) kills, \(survived) after the commit")
      // The kills must fall on both sides of the commit, or they prove nothing.
      if Self.kills >= 50 { #expect((1..<Self.kills).contains(survived)) }
      // Without a commit the file may still be empty, which is no store yet.
      if committed > 0 { try expectLarder("check", store, "--deep", "--quiet") }
    }
  }

  /// Seconds that an import takes when nothing ends it.
  private func duration(_ directory: TemporaryDirectory, _ mapping: String) throws -> Double {
    let input = try directory.write(file(1), to: "x.csv")
    let begin = DispatchTime.now().uptimeNanoseconds
    try expectLarder(
      "import", "--write", input, "--into", directory.file("first.larder"), "--mapping", mapping, "--update")
    return Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
  }

  /// The generation that all objects of the store have, 0 when there are none; the store must pass every check.
  private func state(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    // Killed before the first page was written: an empty file becomes a store at the next import.
    guard bytes > 0 else { return 0 }
    let check: StoreCheck
    do {
      check = try StoreCheck(path: path, isDeep: true)
    } catch let error as StorageError where error.code == .notADatabase {
      // Killed before the store's tables were committed: there is no store yet, and the next import makes it.
      return 0
    }
    #expect(check.problems.isEmpty, "\(check.problems.prefix(5))")
    guard let version = check.version, version > 0 else { return 0 }
    let generations = Set(try column(path, "Thing", "generation"))
    let count = try counted(path, "Thing").count
    guard count > 0 else { return 0 }
    #expect(count == Self.rows)
    #expect(generations.count == 1)
    guard case .int(let generation)? = generations.first else { return -1 }
    #expect(version == UInt64(generation))
    return Int(generation)
  }
}
