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
      let error = #expect(throws: StorageError.self) { _ = try migrator.run() }
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "no error")")
      #expect(try store.snapshot.version == before.version)
      return
    }
    let dry = try migrator.run(isDryRun: true)
    #expect(try store.snapshot.version == before.version && dry.version == nil)
    let report = try migrator.run()
    #expect(dry.steps == report.steps && dry.losses == report.losses)
    if let steps = fixture.steps { #expect(report.steps == steps) }
    if let losses = fixture.losses {
      let told = MigrationText(report, isDryRun: false).text(store: "x").split(separator: "\n")
        .filter { $0.hasPrefix("Lost: ") }.map { String($0.dropFirst("Lost: ".count)) }
      #expect(told == losses)
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
      #expect(throws: Stop.self) { _ = try migrator.run() }
    }
    let after = try store.snapshot
    #expect(after.version == before.version)
    #expect(try contents(after) == contentsBefore)
    migrator.afterStep = nil
    _ = try migrator.run()
    try verify(try store.snapshot)
  }

  @Test("M-118 a process killed after any step of a migration leaves the old schema, and after the commit the new one")
  func killed() async throws {
    let index = try #require(MigrationFixture.all.firstIndex { $0.title.hasPrefix("M-71 each link") })
    let fixture = MigrationFixture.all[index]
    for step in 0..<20 {
      let store = try TemporaryStore(clusterSize: 8, durability: .full)
      try fixture.fill(store)
      let (path, before) = (store.path, try store.snapshot.version)
      await #expect(processExitsWith: .failure) {
        [path = path as String, index = index as Int, step = step as Int] in
        var options = StoreOptions()
        options.mapSize = 1 << 32
        var migrator = StoreMigrator(
          store: try Store.open(path: path, options: options), file: MigrationFixture.all[index].schema)
        var done = 0
        migrator.afterStep = { name in
          if done == step { kill(getpid(), SIGKILL) }
          done += 1
        }
        _ = try migrator.run()
        // All steps were done.
        kill(getpid(), SIGKILL)
      }
      let snapshot = try store.snapshot
      try verify(snapshot)
      let isOld = snapshot.schema["Dog"]?.isEmbedded == false
      #expect(snapshot.version == (isOld ? before : before + 1))
      if !isOld {
        #expect(step >= 4)
        return
      }
    }
    Issue.record("the migration was never done")
  }
}
