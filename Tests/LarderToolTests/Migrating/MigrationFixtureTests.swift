import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderInspection

/// Runs every case of `Fixtures/migrations`.
@Suite struct MigrationFixtureTests {
  private func verify(_ snapshot: Snapshot) throws {
    let problems = try StoreVerifier.verify(snapshot)
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  private func contents(_ snapshot: Snapshot) throws -> [String: [String]] {
    try Dictionary(
      uniqueKeysWithValues: snapshot.schema.classes.map { ($0.name, try MigrationFixture.dump($0.name, snapshot)) })
  }

  @Test(arguments: MigrationFixture.all)
  func migrates(_ fixture: MigrationFixture) throws {
    let store = try TemporaryStore(clusterSize: 8)
    try fixture.fill(store)
    let before = try store.snapshot
    try verify(before)
    let contentsBefore = try contents(before)
    let migrator = StoreMigrator(store: store.store, file: fixture.schema)
    if let text = fixture.error {
      let error = #expect(throws: StorageError.self) { _ = try migrator.run(acceptsLoss: true) }
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "no error")")
      #expect(try store.snapshot.version == before.version)
      return
    }
    let dry = try migrator.run(isDryRun: true)
    if !dry.losses.isEmpty {
      let refused = try migrator.run()
      #expect(refused.isRefused && refused.losses == dry.losses, "F-14")
    }
    #expect(try store.snapshot.version == before.version && dry.version == nil)
    let report = try migrator.run(acceptsLoss: true)
    #expect(dry.steps == report.steps && dry.losses == report.losses)
    if let steps = fixture.steps { #expect(report.steps == steps) }
    if let losses = fixture.losses {
      let told = MigrationText(report, isDryRun: false).text(store: "x").split(separator: "\n")
        .filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
      #expect(told.sorted() == losses.sorted())
      #expect(report.losses.count == losses.count)
    }
    let after = try store.snapshot
    try verify(after)
    for (name, rows) in MigrationFixture.fields(try #require(fixture.expect)) {
      #expect(try MigrationFixture.dump(name, after) == MigrationFixture.elements(rows).map(MigrationFixture.canonical))
    }
    for name in fixture.gone { #expect(after.schema[name] == nil) }
    for (name, count) in fixture.counts {
      #expect(try after.count(of: try #require(after.schema[name]).id) == count, "\(name)")
    }
    // The version before is still as it was.
    #expect(try contents(before) == contentsBefore)
  }

  struct Stop: Error {}

  @Test(
    "M-50 an error after any step leaves the store as it was",
    arguments: MigrationFixture.all.filter { $0.error == nil })
  func stopsAnywhere(_ fixture: MigrationFixture) throws {
    let store = try TemporaryStore(clusterSize: 8)
    try fixture.fill(store)
    let before = try store.snapshot
    let contentsBefore = try contents(before)
    var steps = 0
    var migrator = StoreMigrator(store: store.store, file: fixture.schema)
    migrator.afterStep = { _ in steps += 1 }
    _ = try migrator.run(isDryRun: true)
    #expect(steps >= 2)
    for stop in 0..<steps {
      var done = 0
      migrator.afterStep = { _ in
        if done == stop { throw Stop() }
        done += 1
      }
      #expect(throws: Stop.self) { _ = try migrator.run(acceptsLoss: true) }
    }
    let after = try store.snapshot
    #expect(after.version == before.version)
    #expect(try contents(after) == contentsBefore)
    migrator.afterStep = nil
    _ = try migrator.run(acceptsLoss: true)
    try verify(try store.snapshot)
  }

  /// All steps of all cases, where many kills are asked for; otherwise of each case one, and the one after the commit.
  private static let killsEverywhere =
    (ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap { Int($0) } ?? 0) >= 1_000

  @Test(
    "M-49, M-118 a process killed between any two steps leaves the old schema, and after the commit the new one",
    arguments: MigrationFixture.all.indices.filter { MigrationFixture.all[$0].error == nil })
  func killed(_ index: Int) async throws {
    let fixture = MigrationFixture.all[index]
    var random = SeededRandom.forTest("killed \(index)")
    let (steps, expected) = try outcome(fixture)
    #expect(steps >= 2)
    let chosen = Self.killsEverywhere ? Array(0...steps) : [random.int(0..<steps), steps]
    for step in chosen {
      let store = try TemporaryStore(clusterSize: 8, durability: .full)
      try fixture.fill(store)
      let (path, before) = (store.path, try store.snapshot)
      let contentsBefore = try contents(before)
      await #expect(processExitsWith: .failure) {
        [path = path as String, index = index as Int, step = step as Int] in
        var options = StoreOptions()
        options.mapSize = 1 << 32
        var migrator = StoreMigrator(
          store: try Store.open(path: path, options: options), file: MigrationFixture.all[index].schema)
        var done = 0
        migrator.afterStep = { _ in
          if done == step { kill(getpid(), SIGKILL) }
          done += 1
        }
        _ = try migrator.run(acceptsLoss: true)
        // All steps were done.
        kill(getpid(), SIGKILL)
      }
      let after = try store.snapshot
      try verify(after)
      #expect(after.version == before.version + (step < steps ? 0 : 1), "step \(step) of \(steps)")
      #expect(after.schema.schemaVersion == (step < steps ? before.schema.schemaVersion : expected.version))
      #expect(try contents(after) == (step < steps ? contentsBefore : expected.contents), "step \(step) of \(steps)")
    }
  }

  /// The steps that a case takes, and what it comes to when nothing ends it.
  private func outcome(
    _ fixture: MigrationFixture
  ) throws -> (steps: Int, expected: (version: UInt64?, contents: [String: [String]])) {
    let store = try TemporaryStore(clusterSize: 8)
    try fixture.fill(store)
    var steps = 0
    var migrator = StoreMigrator(store: store.store, file: fixture.schema)
    migrator.afterStep = { _ in steps += 1 }
    _ = try migrator.run(acceptsLoss: true)
    let after = try store.snapshot
    return (steps, (after.schema.schemaVersion, try contents(after)))
  }

  @Test(
    "M-52 other processes see the old schema until a migration is over; one that would migrate waits and finds it done")
  func otherProcesses() throws {
    let fixture = try #require(MigrationFixture.all.first { $0.title.hasPrefix("M-71 each link") })
    let store = try TemporaryStore(clusterSize: 8, durability: .full)
    try fixture.fill(store)
    try withTemporaryDirectory { directory in
      let file = try directory.write("{\"schemaVersion\": 99, \"classes\": {}}", to: "schema.json")
      let old = try expectLarder("schema", store.path, "--json")
      var waiting: WorkerProcess?
      var migrator = StoreMigrator(store: store.store, file: fixture.schema)
      var steps = 0
      migrator.afterStep = { _ in
        // Begun while this one migrates, it may not write before this one has.
        if waiting == nil { waiting = try WorkerProcess("larder", ["migrate", store.path, file, "--write"]) }
        #expect(try expectLarder("schema", store.path, "--json") == old)
        try expectLarder("check", store.path, "--quiet")
        steps += 1
      }
      let version = try #require(try migrator.run(acceptsLoss: true).version)
      #expect(steps >= 4)
      let other = try #require(waiting)
      #expect(other.waitUntilExit() == 0, "\(other.errorOutput)")
      let after = try store.snapshot
      #expect(after.version == version + 1 && after.schema.schemaVersion == 99)
      #expect(after.schema["Dog"]?.isEmbedded == true)
      try verify(after)
    }
  }
}
