import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("A bootstrap that is kept aside")
struct StagedBootstrapTests {
  private func page(_ keys: ClosedRange<Int>) -> BootstrapPage {
    BootstrapPage(
      className: "Item", after: .int(0), through: .int(50), version: 7, ownSiteVersion: 3,
      objects: keys.map { ObjectDelta(ModelDevice.name($0), .whole([SyncProperty("x", .int(Int64($0)))])) })
  }

  @Test("Parts of a page have its objects, and ranges that together are its own")
  func parts() {
    let parts = page(1...10).parts(of: 4)
    #expect(parts.map(\.objects.count) == [4, 4, 2])
    #expect(parts.map(\.after) == [.int(0), .int(4), .int(8)])
    #expect(parts.map(\.through) == [.int(4), .int(8), .int(50)])
    #expect(parts.flatMap(\.objects) == page(1...10).objects)
    #expect(parts.allSatisfy { $0.version == 7 && $0.ownSiteVersion == 3 })
    #expect(page(1...4).parts(of: 4) == [page(1...4)])
  }

  private let begin = BootstrapBegin(
    view: ViewTag(subscriptions: 4, rules: 5), isFull: true, objects: 7, bytes: 0, resumption: [1, 2])

  @Test("Y-19: a bootstrap without its end goes on after its last page, for the same subscriptions")
  func position() throws {
    let temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
    try temporary.write { writer in
      var staged = StagedBootstrap(begin)
      #expect(staged.position(subscriptions: 4) == nil)
      let state = try SyncWriting(writer)
      try staged.stage(page(1...5), by: 2, state)
      try staged.save(state)
    }
    try temporary.write { writer in
      let state = try SyncWriting(writer)
      var staged = try #require(try StagedBootstrap.load(state))
      let position = try #require(staged.position(subscriptions: 4))
      #expect(position.resumption == [1, 2] && position.view == begin.view && position.className == "Item")
      #expect(position.through == page(1...5).through)
      #expect(staged.position(subscriptions: 5) == nil)
      _ = try staged.takePart(state)
      #expect(staged.position(subscriptions: 4) == nil, "parts of it are applied")
    }
  }

  @Test("Y-19: parts are taken in order, also after a restart, and leave nothing in the store")
  func staged() throws {
    let temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
    try temporary.write { writer in
      var staged = StagedBootstrap(begin)
      let state = try SyncWriting(writer)
      try staged.stage(page(1...5), by: 2, state)
      try staged.stage(page(6...7), by: 2, state)
      try staged.save(state)
    }
    var keys: [ObjectName] = []
    for _ in 0..<4 {
      try temporary.write { writer in
        let state = try SyncWriting(writer)
        var staged = try #require(try StagedBootstrap.load(state))
        let part = try staged.takePart(state)
        keys += part?.objects.map(\.object) ?? []
        try staged.save(state)
      }
    }
    #expect(keys == (1...7).map { ModelDevice.name($0) })
    try temporary.write { writer in
      let state = try SyncWriting(writer)
      var staged = try #require(try StagedBootstrap.load(state))
      let part = try staged.takePart(state)
      #expect(part == nil && staged.isPartial && !staged.hasParts)
      try staged.remove(state)
      #expect(try StagedBootstrap.load(state) == nil && state.state("bootstrap.part.0") == nil)
    }
  }

  @Test("Bytes of more than one record are read as they were written, and become fewer again")
  func long() throws {
    let temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
    var bytes = [UInt8](repeating: 7, count: 17 << 20)
    bytes[9 << 20] = 1
    try temporary.write { try SyncWriting($0).setLongState("long", bytes) }
    try temporary.write { writer in
      let state = try SyncWriting(writer)
      #expect(try state.longState("long") == bytes)
      try state.setLongState("long", [])
      #expect(try state.longState("long") == [] && state.state("long/1") == nil)
      try state.setLongState("long", nil)
      #expect(try state.longState("long") == nil)
    }
  }
}
