import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("An exchange between a store and a server")
struct ExchangeTests {
  private func link(_ key: Int) -> ObjectName { ModelDevice.name(key) }

  private func create(_ device: ModelDevice, _ key: Int, x: Int64 = 0, text: String? = nil) throws {
    try device.edit {
      let text = text.map { SyncValue.string(SyncText($0)) } ?? .null
      $0.replace(ModelDevice.name(key), with: [SyncProperty("x", .int(x)), SyncProperty("text", text)])
    }
  }

  private func pair() throws -> (ModelNet, ModelDevice, ModelDevice) {
    let net = try ModelNet(devices: 2)
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    return (net, net.devices[0], net.devices[1])
  }

  @Test("Y-24: what two devices write without a connection is on both afterwards, merged")
  func offline() throws {
    let (net, one, two) = try pair()
    try create(one, 1, x: 1, text: "one")
    try net.settle()
    try one.edit {
      $0.set(link(1), LocalPath("x"), .int(5))
      $0.insert([.string("a")], at: 0, link(1), LocalPath("texts"))
    }
    try two.edit {
      $0.set(link(1), LocalPath("text"), .string("two"))
      $0.insert([.string("b")], at: 0, link(1), LocalPath("texts"))
      $0.setMember(.int(3), isPresent: true, link(1), LocalPath("numbers"))
    }
    try create(two, 2, x: 2)
    try net.settle()
    #expect(try one.content == two.content)
    let object = try #require(try one.content[link(1)])
    #expect(object.contains("x=5") && object.contains("text=two") && object.contains("numbers=[\"3\"]"))
    #expect(object.contains { $0.hasPrefix("texts=") && $0.contains("a") && $0.contains("b") })
    #expect(try one.content[link(2)] != nil)
  }

  @Test("Y-2: a set of subscriptions is complete when its objects are here, and a restart changes nothing of it")
  func complete() throws {
    let (net, one, two) = try pair()
    for key in 1...9 { try create(one, key, x: Int64(key % 2)) }
    #expect(try two.subscriptions.state == .pending)
    try net.settle()
    #expect(try two.subscriptions.state == .complete && two.subscriptions.completedVersion == 1)
    #expect(two.events.contains(.subscriptions(version: 1, error: nil)))
    try two.subscribe("x == 1")
    try net.settle()
    #expect(try two.content.count == 5 && one.content.count == 9)
    try two.kill(&net.server)
    try net.settle()
    #expect(try two.subscriptions.state == .complete && two.content.count == 5)
  }

  @Test("Y-5: a refused set has its error, and the queries before it stay in force, also in the next session")
  func refusedSet() throws {
    let (net, one, two) = try pair()
    try net.settle()
    try two.subscribe("bad")
    try net.settle()
    guard case .error(let failure) = try two.subscriptions.state else { return #expect(Bool(false)) }
    #expect(failure.code == .query && failure.subject == "bad")
    try create(one, 1, x: 1)
    try net.settle()
    #expect(try two.content.count == 1)
    net.disconnect(two)
    try create(one, 2, x: 1)
    try net.settle()
    #expect(try two.content.count == 2)
    try two.subscribe("x == 1")
    try net.settle()
    #expect(try two.subscriptions.state == .complete)
  }

  @Test("Y-26: what is made under a set of subscriptions is not sent before the set")
  func setsBeforeObjects() throws {
    let net = try ModelNet(devices: 1)
    let one = net.devices[0]
    try one.subscribe("x == 1")
    try one.connect(&net.server)
    while one.exchange.session?.isSubscribing != true { try net.exchange(one) }
    // The first set has no answer yet.
    try one.subscribe("x == 2")
    try create(one, 1, x: 2)
    try one.pump(&net.server)
    while one.exchange.session?.sentThrough == 0 {
      #expect(one.exchange.session?.subscribed != nil)
      guard try net.exchange(one) else { break }
    }
    #expect(one.exchange.session?.sentThrough == 1 && one.exchange.session?.subscribed == 2)
    try net.settle()
    #expect(try one.subscriptions.state == .complete && one.content.count == 1)
  }

  @Test("Y-21: objects outside of the subscriptions go, unless the server has not confirmed edits of them")
  func unsubscribe() throws {
    let (net, one, two) = try pair()
    for key in 1...3 { try create(one, key, x: Int64(key)) }
    try net.settle()
    net.disconnect(two)
    try two.edit { $0.set(link(1), LocalPath("text"), .string("kept")) }
    try two.subscribe("x == 3")
    // The bootstrap arrives before the upload does.
    try two.connect(&net.server)
    net.upload(two, keepsUploads: true)
    #expect(try two.content.keys.sorted() == [link(1), link(3)])
    #expect(try two.content[link(1)]?.contains("text=kept") == true)
    try net.settle()
    #expect(try two.content.keys.sorted() == [link(3)])
    #expect(try one.content[link(1)]?.contains("text=kept") == true && one.content.count == 3)
  }

  @Test("F-105: a stored transaction that the server does not take is given up with its values, and the device goes on")
  func tooLarge() throws {
    let (net, one, two) = try pair()
    try create(one, 1, x: 1)
    try net.settle()
    let long = SyncText(String(repeating: "a", count: 1 << 20))
    try one.edit {
      $0.set(link(1), LocalPath("x"), .int(2))
      $0.replace(link(2), with: [SyncProperty("text", .string(long))])
    }
    try one.edit { $0.set(link(1), LocalPath("text"), .string("later")) }
    try one.edit { $0.set(link(2), LocalPath("x"), .int(4)) }
    try net.settle()
    // Giving the transaction up ended the session.
    try net.settle()
    #expect(try one.content == [link(1): ["text=later", "x=1"]] && two.content == one.content)
    let rejected = one.events.flatMap { event -> [RejectedObject] in
      if case .rejected(let objects) = event { objects } else { [] }
    }
    #expect(Set(rejected.map(\.object)) == [link(1), link(2)] && rejected.allSatisfy { $0.reason == .tooLarge })
    let made = rejected.first { $0.object == link(2) }
    #expect(made?.values.contains(SyncProperty("text", .string(long))) == true)
    let ends = one.ends.filter { $0.code == .frameTooLarge }
    #expect(ends.count == 1 && ends.first?.message.string.contains("'Item' int(2) takes most") == true)
    let error = SyncError(.server(try #require(ends.first)), path: "a.larder")
    #expect(error.code == .transactionTooLarge && error.message.contains("int(2)"))
    // Nothing is left of it after a restart either.
    try one.kill(&net.server)
    try create(one, 3, x: 3)
    try net.settle()
    #expect(try one.content.count == 2 && two.content == one.content)
  }

  @Test(
    "Y-28: what the server does not accept is put right first, and then the program gets the values that it had written"
  )
  func refused() throws {
    let (net, one, two) = try pair()
    try create(one, 1, x: 1, text: "old")
    try net.settle()
    try one.edit {
      $0.set(link(1), LocalPath("x"), .int(13))
      $0.set(link(1), LocalPath("text"), .string("new"))
    }
    try create(one, 2, x: 13, text: "lost")
    try net.settle()
    #expect(try one.content == two.content && one.content[link(2)] == nil)
    #expect(try one.content[link(1)] == ["text=new", "x=1"])
    let rejected = one.events.flatMap { event -> [RejectedObject] in
      if case .rejected(let objects) = event { objects } else { [] }
    }
    #expect(rejected.map(\.object) == [link(1), link(2)])
    #expect(rejected.first?.values == [SyncProperty("x", .int(13))])
    #expect(rejected.last?.values.contains(SyncProperty("text", .string("lost"))) == true)
  }

  @Test(
    "Y-19: a bootstrap that arrived whole is applied after a kill, without the server; of one in pieces the rest is asked for"
  )
  func bootstrap() throws {
    let net = try ModelNet(devices: 2, SliceLimits(objects: 1, partObjects: 10, stagedBytes: 1))
    let (one, two) = (net.devices[0], net.devices[1])
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    for key in 1...60 { try create(one, key, x: 1) }
    try net.settle(only: [one])
    try two.connect(&net.server)
    // All pages but the last ones.
    while two.exchange.incoming.map({ $0.received < 50 }) ?? true, try net.exchange(two) {}
    try two.kill(&net.server)
    #expect(try two.content.isEmpty && two.exchange.staged?.objects ?? 0 >= 50)
    // What changes meanwhile is in later pages, or in the log after the first of them.
    try create(one, 3, x: 2)
    try create(one, 70, x: 2)
    try net.settle(only: [one])
    let before = net.server.continued
    try two.connect(&net.server)
    while two.exchange.incoming == nil, try net.exchange(two) {}
    #expect(net.server.continued == before + 1 && two.exchange.incoming?.received ?? 0 >= 50)
    while two.exchange.staged?.end == nil, try net.exchange(two) {}
    #expect(try two.content.isEmpty)
    try two.kill(&net.server)
    #expect(two.exchange.staged?.end != nil)
    while try two.exchange.step() {}
    #expect(try two.content.count >= 60 && two.exchange.staged == nil)
    try net.settle()
    #expect(try two.content == one.content && two.content.count == 61)
    #expect(try two.subscriptions.state == .complete)
  }

  @Test("Y-19: the rest of a bootstrap is of no use for other subscriptions, or after records")
  func otherSubscriptions() throws {
    let net = try ModelNet(devices: 2, SliceLimits(objects: 1, partObjects: 1, stagedBytes: 1))
    let (one, two) = (net.devices[0], net.devices[1])
    for device in net.devices { try device.subscribe("x == 1") }
    for key in 1...30 { try create(one, key, x: Int64(key % 2)) }
    try net.settle()
    try two.subscribe("TRUEPREDICATE")
    try two.pump(&net.server)
    while two.exchange.staged == nil, try net.exchange(two) {}
    try two.kill(&net.server)
    #expect(two.exchange.staged != nil)
    try two.subscribe("x == 0")
    try net.settle()
    #expect(try two.content.count == 15 && two.exchange.staged == nil && net.server.continued == 0)
  }

  @Test(
    "Y-19: parts are seen as they arrive where the program wants that, and after an end in between everything comes again"
  )
  func progressive() throws {
    let small = SliceLimits(objects: 1, partObjects: 1, stagedBytes: 1)
    let net = try ModelNet(devices: 2, small, appliesProgressively: true)
    let (one, two) = (net.devices[0], net.devices[1])
    for device in net.devices { try device.subscribe("x == 1") }
    for key in 1...9 { try create(one, key, x: Int64(key % 2)) }
    try net.settle()
    try two.subscribe("x == 0")
    try two.pump(&net.server)
    while try two.content[link(2)] == nil, try net.exchange(two) {}
    #expect(try two.subscriptions.state == .pending && two.content.count < 6)
    try two.kill(&net.server)
    try two.subscribe("x == 5")
    try net.settle()
    #expect(try two.content.isEmpty && two.subscriptions.state == .complete)
    try two.subscribe("TRUEPREDICATE")
    try net.settle()
    #expect(try two.content.count == 9 && one.content.count == 5)
  }

  @Test("Acknowledgements that come twice change nothing, and uploads keep to the server's limits")
  func doubled() throws {
    let (net, one, two) = try pair()
    net.server.doubles = true
    for key in 1...20 { try create(one, key % 5, x: Int64(key)) }
    try net.settle()
    #expect(try one.content == two.content && one.content.count == 5)
    #expect(net.server.log.count == 20 && net.server.faults.isEmpty)
    var status = EngineStatus()
    one.exchange.describe(&status)
    #expect(status.unsentCommits == 0 && status.phase == .following && status.lastSynced != nil)
  }

  @Test(
    "A site that the server does not know is given up for another one, and what waits is sent once"
  )
  func lostSite() throws {
    let (net, one, two) = try pair()
    try create(one, 1, x: 1)
    try net.settle()
    try create(one, 2, x: 2)
    net.disconnect(one)
    try one.exchange.keeper.write { $0.server.secret = [0] }
    try net.settle()
    #expect(try one.content == two.content && one.content.count == 2)
    #expect(Set(net.server.log.map(\.merged.site)).count == 2 && net.server.log.count == 2)
  }

  @Test("Y-68: a file that was copied becomes another site, and both go on")
  func copied() throws {
    let (net, one, two) = try pair()
    try create(one, 1, x: 1)
    try net.settle()
    let site = one.exchange.keeper.device?.site
    try one.exchange.keeper.write { $0.server.storeID = "another" }
    try one.kill(&net.server)
    try create(one, 2, x: 2)
    try net.settle()
    #expect(try one.content == two.content && one.content.count == 2)
    #expect(one.exchange.keeper.device?.site != site && one.events.contains(.failure(.storeCopied)))
  }

  @Test("Only what became another is written")
  func quiet() throws {
    let (net, one, _) = try pair()
    try create(one, 1, x: 1)
    try net.settle()
    let version = try one.store.snapshot().version
    try one.exchange.pump()
    try net.settle()
    #expect(try one.store.snapshot().version == version)
  }
}
