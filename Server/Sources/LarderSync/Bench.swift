import ArgumentParser
import Foundation
import LarderSyncServer

/// `larder-sync bench`: what the store takes without network and merge, and what merging makes of it.
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measure how many commits a second a database takes. Writes tenants named bench-…; use an empty database.",
    shouldDisplay: false)

  @OptionGroup var place: DatabaseOption
  @Option(help: "Seconds for each row.") var seconds = 3
  @Option(help: "Objects of one commit.") var objects = 100_000
  @Option(help: "Commits whose bytes in the database are measured.") var changes = 50_000

  func run() async throws {
    _ = try StoreAdministration.migrate(place.location)
    let store: SQLSyncStore =
      switch place.location {
      case .postgres(let url): try await .postgres(url)
      case .file(let path): try await .file(path)
      }
    defer { store.close() }
    print(
      "commits of 120 bytes that each write one object of 120 bytes; merged ones create one and change one; load before: \(BenchLoad.now)"
    )
    let rows = [
      BenchRow(writers: 1, tenants: 1, batch: 1), BenchRow(writers: 8, tenants: 8, batch: 1),
      BenchRow(writers: 8, tenants: 1, batch: 1), BenchRow(writers: 1, tenants: 1, batch: 20),
      BenchRow(writers: 1, tenants: 1, batch: 100), BenchRow(writers: 1, tenants: 1, batch: 200),
      BenchRow(writers: 8, tenants: 8, batch: 200),
    ]
    for (number, row) in rows.enumerated() {
      let figures = try await BenchRun(store: store, row: row, seconds: seconds, name: "bench-\(getpid())-\(number)")
        .run()
      print("\(row): \(figures); load \(BenchLoad.now)")
    }
    for (clients, tenants) in [(1, 1), (8, 1), (64, 1), (80, 10)] {
      let row = BenchCombiner(
        store: store, clients: clients, tenants: tenants, seconds: seconds, name: "bench-\(getpid())-m\(clients)")
      print("\(row.description): \(try await row.run()); load \(BenchLoad.now)")
    }
    let large = BenchLargeCommit(store: store, objects: objects, name: "bench-\(getpid())-l")
    print("merging, \(try await large.run()); load \(BenchLoad.now)")
    print(try await BenchRun.reading(store, TenantID("bench-\(getpid())-5")))
    // The name is in each row and in each key of an index.
    let sizes = BenchSizes(store: store, location: place.location, name: "b\(getpid())", commits: changes)
    print("\(changes) commits that set one integer each: \(try await sizes.run())")
  }
}

/// The shape of an append measurement: the number of writers, of tenants, and of commits in a transaction.
struct BenchRow: CustomStringConvertible {
  let writers: Int
  let tenants: Int
  let batch: Int

  var description: String { "\(writers) writer(s), \(tenants) tenant(s), \(batch) commit(s) in a transaction" }
}

/// The load of the machine, from `/proc/loadavg`.
enum BenchLoad {
  static var now: String {
    // A figure for the reader's information: without /proc there is none.
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? "unknown"
    return String(text.split(separator: " ").first ?? "unknown")
  }
}

/// One measurement.
struct BenchRun {
  let store: SQLSyncStore
  let row: BenchRow
  let seconds: Int
  let name: String

  func run() async throws -> String {
    let tenants = try (0..<row.tenants).map { try TenantID(row.tenants == 1 ? name : "\(name)-\($0)") }
    let sites = try (0..<row.writers).map { try SiteKey([UInt8($0), 1, 2, 3]) }
    for tenant in tenants {
      try await store.write(unknownCommit: .runAgain) { transaction in
        try transaction.createTenant(TenantRecord(id: tenant, created: 0))
        try transaction.putClients(tenant, sites.map { ClientRecord(site: $0, secretHash: []) })
      }
    }
    let clock = ContinuousClock()
    let began = clock.now
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for writer in 0..<row.writers {
        group.addTask {
          try await write(tenants[writer % tenants.count], sites[writer], until: began + .seconds(seconds))
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return BenchFigures(times: times, each: row.batch, passed: clock.now - began).description
  }

  private func write(
    _ tenant: TenantID, _ site: SiteKey, until end: ContinuousClock.Instant
  ) async throws -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    var version: Int64 = 0
    while clock.now < end {
      let uploads = (0..<row.batch).map { _ in
        version += 1
        let key = ObjectKey(
          className: "Task", primaryKey: site.bytes + (0..<3).map { UInt8(truncatingIfNeeded: version >> (8 * $0)) })
        return Upload(
          site: site, session: 1, siteVersion: version, nonce: UInt64(version), time: UInt64(version), keys: [key],
          body: [UInt8](repeating: 7, count: 120))
      }
      let before = clock.now
      _ = try await store.append(UploadBatch(tenant: tenant, uploads: uploads), now: 0, merging: BenchMerger())
      times.append(clock.now - before)
    }
    return times
  }

  /// Measures how fast the log and the objects of a tenant are read, and returns the figures as text.
  static func reading(_ store: SQLSyncStore, _ tenant: TenantID) async throws -> String {
    let clock = ContinuousClock()
    var began = clock.now
    var changes = 0
    var after: Int64 = 0
    while true {
      let position = after
      let next = try await store.read { try $0.changes(tenant, .first, after: position, limit: 1000) }
      guard let last = next.last else { break }
      changes += next.count
      after = last.version
    }
    let rate = Double(changes) / ((clock.now - began) / .seconds(1))
    began = clock.now
    var objects = 0
    var key: [UInt8]?
    while true {
      let request = ObjectPageRequest(className: "Task", after: key, limit: 1000)
      let next = try await store.read { try $0.objectPage(tenant, .first, request) }
      guard let last = next.last else { break }
      objects += next.count
      key = last.key.primaryKey
    }
    let objectRate = Double(objects) / ((clock.now - began) / .seconds(1))
    return
      "reading: \(Int(rate)) changes/s of \(changes), \(Int(objectRate)) objects/s of \(objects); load \(BenchLoad.now)"
  }
}

/// Makes an upload's bytes the object.
struct BenchMerger: UploadMerger {
  func merge(_ state: MergeState) -> MergedUploads {
    MergedUploads(
      changes: state.uploads.map { MergedChange(time: $0.time, delta: $0.body, before: []) },
      objects: state.uploads.enumerated().flatMap { offset, upload in
        upload.keys.map {
          ObjectWrite(
            ObjectRecord(key: $0, isAlive: true, version: state.part.head + 1 + Int64(offset), body: upload.body))
        }
      })
  }
}
