import Testing

@testable import LarderSyncServer

/// Hints make changes known soon; without them they are known all the same.
@Suite struct HintTests {
  /// Carries nothing.
  private struct SilentBus: HintBus {
    func publish(_ hint: Hint) {}
    func hints() -> AsyncStream<Hint> { AsyncStream { _ in } }
    func close() {}
  }

  @Test func textsOfHints() throws {
    let hints = (0..<2000).map { Hint(tenant: TenantID(stored: "tenant é \($0)"), part: PartID(Int32($0)), head: .max) }
    let texts = HintText.texts(hints)
    #expect(texts.count > 1)
    #expect(texts.allSatisfy { $0.utf8.count <= HintText.largest })
    #expect(texts.flatMap { HintText.hints($0) } == hints)
    #expect(HintText.texts([]).isEmpty)
    #expect(
      HintText.hints("a\t1\t2\nnonsense\n\t1\t2\na\tx\t2\na\t1\t2\t3") == [
        Hint(tenant: TenantID(stored: "a"), part: PartID(1), head: 2)
      ])
  }

  @Test func readersWithinAProcess() async throws {
    let bus = InProcessHintBus()
    let (first, second) = (bus.hints(), bus.hints())
    let hint = Hint(tenant: try TenantID("acme"), head: 5)
    bus.publish(hint)
    bus.close()
    for stream in [first, second] {
      var seen: [Hint] = []
      for await hint in stream { seen.append(hint) }
      #expect(seen == [hint])
    }
    for await _ in bus.hints() { Issue.record("a closed bus has no hints") }
  }

  /// From one server to another one, and of many hints of a part the newest.
  @Test func notifications() async throws {
    let test = try await Backend.postgres.make()
    guard case .postgres(let url) = test.location else { return }
    let (here, there) = (try PostgresHintBus(url, logger: .quiet), try PostgresHintBus(url, logger: .quiet))
    defer {
      here.close()
      there.close()
    }
    let tenant = try TenantID("acme")
    let stream = there.hints()
    // Until the other one listens, what is sent is lost.
    let first = Task {
      var head: Int64 = 0
      while !Task.isCancelled {
        for _ in 0..<100 {
          head += 1
          for part in 0..<3 as Range<Int32> { here.publish(Hint(tenant: tenant, part: PartID(part), head: head)) }
        }
        try? await Task.sleep(for: .milliseconds(1))
      }
      return head
    }
    var seen: [Int32: [Int64]] = [:]
    for await hint in stream {
      seen[hint.part.number, default: []].append(hint.head)
      if seen.count == 3, seen.values.allSatisfy({ $0.count >= 10 }) { break }
    }
    first.cancel()
    let published = await first.value
    for heads in seen.values {
      #expect(heads == heads.sorted())
      #expect(heads.count < Int(published))
    }
    let last = Hint(tenant: tenant, head: 1_000_000)
    let following = there.hints()
    here.publish(last)
    for await hint in following where hint == last { break }
  }

  /// The bus connects again after its database was killed, and again carries hints.
  @Test func notificationsAfterAKill() async throws {
    let postgres = try TestPostgres(named: "hints")
    defer { try? postgres.remove() }
    let bus = try PostgresHintBus(postgres.url("larder"), logger: .quiet)
    defer { bus.close() }
    let stream = bus.hints()
    let publishing = Task {
      var head: Int64 = 0
      while !Task.isCancelled {
        head += 1
        bus.publish(Hint(tenant: TenantID(stored: "acme"), head: head))
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    for await _ in stream { break }
    try postgres.kill()
    bus.publish(Hint(tenant: TenantID(stored: "lost"), head: 1))
    try postgres.start()
    let after = Hint(tenant: TenantID(stored: "after"), head: 1)
    let again = Task {
      while !Task.isCancelled {
        bus.publish(after)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    for await hint in bus.hints() where hint == after { break }
    publishing.cancel()
    again.cancel()
  }

  @Test(arguments: Backend.allCases) func lostHintsCostTimeOnly(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let other = try await test.makeTenant("other", sites: [.test(1)])
    let follower = HeadFollower(store: test.store, bus: SilentBus(), interval: .milliseconds(20))
    await follower.reached(tenant, version: 0)
    let (stream, continuation) = AsyncStream<Hint>.makeStream()
    let running = Task { await follower.run { continuation.yield($0) } }
    for tenant in [other, tenant] {
      _ = try await test.store.append(
        UploadBatch(tenant: tenant, uploads: [.test(.test(1), 1, [])]), now: 1, merging: CountingMerger())
    }
    // Only the tenant that is followed, however often.
    for await hint in stream {
      #expect(hint == Hint(tenant: tenant, head: 1))
      break
    }
    await follower.reached(tenant, version: 1)
    running.cancel()
    await running.value
  }

  @Test func hintsAreFasterThanTheInterval() async throws {
    let test = try await Backend.memory.make()
    let tenant = try await test.makeTenant()
    let bus = InProcessHintBus()
    // An hour: only hints can bring the test to its end.
    let follower = HeadFollower(store: test.store, bus: bus, interval: .seconds(3600))
    await follower.reached(tenant, version: 3)
    let (stream, continuation) = AsyncStream<Hint>.makeStream()
    let running = Task { await follower.run { continuation.yield($0) } }
    let publishing = Task {
      while !Task.isCancelled {
        bus.publish(Hint(tenant: TenantID(stored: "unfollowed"), head: 9))
        bus.publish(Hint(tenant: tenant, head: 3))
        bus.publish(Hint(tenant: tenant, head: 4))
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    // The first look at the heads finds that the log is shorter than what was reached.
    for await hint in stream where hint.head != 0 {
      #expect(hint == Hint(tenant: tenant, head: 4))
      break
    }
    publishing.cancel()
    running.cancel()
    await running.value
  }
}
