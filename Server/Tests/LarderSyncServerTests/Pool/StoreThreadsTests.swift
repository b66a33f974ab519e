import Testing

@testable import LarderSyncServer

@Suite struct StoreThreadsTests {
  @Test("F-116: who waits for an abandoned store is answered, though its thread is held by the database")
  func abandon() async throws {
    let (begun, gate) = (Gate(), Gate())
    let threads = StoreThreads(count: 1, name: "test") { () throws(SQLFailure) in throw Faults.loss }
    async let held: Void = threads.perform { _ in
      begun.open()
      gate.wait()
    }
    await Task.detached { begun.wait() }.value
    async let waiting: Void = threads.perform { _ in }
    threads.abandon()
    for call in [try? await held, try? await waiting] { #expect(call == nil) }
    let error = await #expect(throws: SyncStoreError.self) { try await threads.perform { _ in } }
    #expect(error?.kind == .closed)
    gate.open()
  }

  @Test("F-116: an abandoned store tries no connection again")
  func retries() async throws {
    let store = SQLSyncStore.inMemory(logger: .quiet)
    #expect(try await store.read { try $0.tenants(after: "", limit: 1) }.isEmpty)
    store.abandon()
    let error = await #expect(throws: SyncStoreError.self) {
      _ = try await store.read { try $0.tenants(after: "", limit: 1) }
    }
    #expect(error?.kind == .closed)
    let worker = StoreWorker({ () throws(SQLFailure) in throw Faults.loss }) { true }
    let runner = TransactionRunner(
      statements: SQLStatements(.sqlite), policy: RetryPolicy(connectionTime: .seconds(3_600)), logger: .quiet)
    #expect(throws: SyncStoreError.self) { try runner.run(worker, begin: "BEGIN", .runAgain) { _ in } }
  }
}
