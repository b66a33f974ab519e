import LarderStorage
import LarderSyncProtocol
import TestTraits
import Testing

@testable import LarderSync

@Suite("Client resets of an exchange", .long)
struct ExchangeResetTests {
  private func create(_ device: ModelDevice, _ key: Int, x: Int64 = 1) throws {
    try device.edit { $0.replace(ModelDevice.name(key), with: [SyncProperty("x", .int(x))]) }
  }

  /// A net whose first device has what the server has, and a state of the server before the last of it.
  private func restored(
    _ reset: ResetPlan = ResetPlan(), lost: Int = 3, raisesEpoch: Bool = true
  ) throws -> (net: ModelNet, device: ModelDevice, fresh: ModelDevice) {
    let net = try ModelNet(devices: 2, reset: reset)
    net.server.limits = SessionLimits(
      frameBytes: 1 << 20, uploadBytes: 1 << 18, uploadCommits: 1_000, uploadsInFlight: 4, credit: 1 << 20,
      pingSeconds: 15, silenceSeconds: 30)
    let device = net.devices[0]
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    try create(device, 0)
    try net.settle(only: [device])
    let backup = net.server
    for key in 1...lost { try create(device, key) }
    try device.edit { $0.set(ModelDevice.name(0), LocalPath("x"), .int(7)) }
    try net.settle(only: [device])
    net.restore(backup, raisesEpoch: raisesEpoch)
    return (net, device, net.devices[1])
  }

  private func notices(_ device: ModelDevice) -> [ResetNotice] {
    device.events.compactMap { if case .failure(.reset(let notice)) = $0 { notice } else { nil } }
  }

  @Test(
    "F-103, Y-38: After a restored server a device has a copy of what it had, offers what it keeps, and is as a fresh one",
    arguments: [false, true])
  func lost(_ raisesEpoch: Bool) throws {
    let (net, device, fresh) = try restored(lost: 1_400, raisesEpoch: raisesEpoch)
    let before = try device.content
    try net.settle(only: [device])
    try net.settle(only: [fresh])
    #expect(try device.content == fresh.content)
    // A thousand confirmed commits and some more are kept, of which the server had one.
    #expect(try (1_000...1_200).contains(fresh.content.count))
    #expect(try fresh.content[ModelDevice.name(1_400)] != nil && fresh.content[ModelDevice.name(1)] == nil)
    let notice = try #require(notices(device).first)
    #expect(notice.isDone && notices(device).count == 1)
    #expect(try ModelDevice.content(Store.open(path: notice.copy)) == before)
    // It goes on as before.
    try create(device, 2_000)
    try net.settle()
    #expect(try device.content == fresh.content && fresh.content[ModelDevice.name(2_000)] != nil)
    #expect(notices(device).count == 1)
  }

  @Test("F-113, Y-39, Y-41: Recovering keeps what was not sent, in one transaction between the two calls")
  func recover() throws {
    struct Seen {
      var before: [ObjectName: [String]] = [:]
      var after: [ObjectName: [String]] = [:]
      var versions: [UInt64] = []
    }
    let seen = Shared(Seen())
    let plan = ResetPlan(
      .recover,
      around: { store, reset in
        let version = try store.snapshot().version
        try reset {
          let content = try ModelDevice.content(store)
          seen.value.withLock { $0.before = content }
        }
        let (after, content) = (try store.snapshot().version, try ModelDevice.content(store))
        seen.value.withLock {
          $0.versions = [version, after]
          $0.after = content
        }
      })
    let (net, device, fresh) = try restored(plan)
    try create(device, 50)
    try device.edit { $0.set(ModelDevice.name(0), LocalPath("text"), .string("unsent")) }
    let before = try device.content
    try net.settle()
    let (old, new) = seen.value.withLock { ($0.before, $0.after) }
    #expect(old == before)
    #expect(new[ModelDevice.name(50)] != nil && new[ModelDevice.name(0)]?.contains("text=unsent") == true)
    #expect(seen.value.withLock { $0.versions[1] == $0.versions[0] + 1 })
    #expect(try device.content == fresh.content)
    #expect(try fresh.content[ModelDevice.name(50)] != nil && fresh.content[ModelDevice.name(3)] != nil)
  }

  @Test("F-113, Y-39: Discarding gives up what was not sent, and the device goes on as another site")
  func discard() throws {
    let (net, device, fresh) = try restored(ResetPlan(.discard))
    try create(device, 50)
    try device.edit { $0.set(ModelDevice.name(0), LocalPath("text"), .string("unsent")) }
    let site = device.exchange.keeper.device?.site
    let before = try device.content
    try net.settle()
    #expect(try device.content == fresh.content)
    #expect(try fresh.content.keys.sorted() == [ModelDevice.name(0)])
    #expect(device.exchange.keeper.device?.site != site)
    let notice = try #require(notices(device).first)
    #expect(try ModelDevice.content(Store.open(path: notice.copy)) == before)
    try create(device, 51)
    try create(fresh, 52)
    try net.settle()
    #expect(try device.content == fresh.content && device.content.count == 3)
  }

  @Test("F-113, Y-42: A reset that fails is a manual one, and discards before that where the mode says so")
  func failing() throws {
    struct Failing: Error {}
    for mode in [ResetPlan.Mode.recover, .recoverOrDiscard] {
      let failures = Shared(1)
      let plan = ResetPlan(
        mode,
        around: { _, reset in
          let fails = failures.value.withLock { left in
            defer { left -= 1 }
            return left > 0
          }
          if fails { throw Failing() }
          try reset {}
        })
      let (net, device, fresh) = try restored(plan)
      try create(device, 50)
      if mode == .recover {
        let failure = #expect(throws: EngineFailure.self) { try net.settle(only: [device]) }
        guard case .reset(let notice)? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        #expect(try !notice.isDone && device.content.count == 5)
      } else {
        try net.settle()
        #expect(try device.content == fresh.content)
        #expect(try device.content.keys.sorted() == [ModelDevice.name(0)] && notices(device).count == 1)
      }
    }
  }

  @Test("F-113, Y-43: A manual reset changes nothing and says where the store will be")
  func manual() throws {
    let (net, device, _) = try restored(ResetPlan(.manual))
    let before = try device.content
    let failure = #expect(throws: EngineFailure.self) { try net.settle(only: [device]) }
    guard case .reset(let notice)? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    #expect(!notice.isDone && RecoveryFiles(of: device.store.path).noted == notice.copy)
    #expect(try device.content == before)
  }

  @Test("F-103: A device that is killed at any step of a reset ends as a fresh one, and tells of it")
  func killed() throws {
    for steps in 0..<30 {
      let (net, device, fresh) = try restored()
      try create(device, 50)
      try device.connect(&net.server)
      for _ in 0..<steps { try net.exchange(device) }
      try device.kill(&net.server)
      try net.settle()
      #expect(try device.content == fresh.content, "\(steps)")
      #expect(try device.content.count == 5, "\(steps)")
      #expect(notices(device).contains { $0.isDone }, "\(steps)")
    }
  }

  @Test("Y-61: A device whose place the log lacks and that has sent everything hears of nothing")
  func expired() throws {
    let (net, device, fresh) = try restored(raisesEpoch: false)
    try net.settle()
    let count = notices(device).count
    net.disconnect(device)
    try create(fresh, 60)
    try net.settle(only: [fresh])
    net.server.merger.part.floor = net.server.head
    try net.settle(only: [device])
    #expect(try device.content == fresh.content && device.content[ModelDevice.name(60)] != nil)
    #expect(notices(device).count == count)
  }
}
