import LarderSyncProtocol
import Testing

@Suite("Limits of what bytes may ask for")
struct DecodingLimitsTests {
  private let limits = DecodingLimits(frameBytes: 1_000, items: 10, runNames: 10, depth: 5)

  private func nested(_ depth: Int) -> [UInt8] {
    // A list in the root incarnation with one element, whose name is one of another site at first.
    var bytes: [UInt8] = [14, 0, 1, 2, 4] + Array(repeating: 7, count: 16) + [1, 0, 0]
    for _ in 1..<depth { bytes += [14, 0, 1, 2, 5, 1, 0, 0] }
    return bytes + [0]
  }

  @Test("values are as deep as the limit allows")
  func depth() throws {
    let value = try SyncValue(decoding: nested(5), limits: limits)
    #expect(value.encoded() == nested(5))
    let error = #expect(throws: SyncDecodingError.self) { try SyncValue(decoding: nested(6), limits: limits) }
    #expect(error?.reason == .overLimit("containers within each other", 5))
    #expect(try SyncValue(decoding: nested(100)).encoded() == nested(100))
    #expect(throws: SyncDecodingError.self) { try SyncValue(decoding: nested(200_000)) }
  }

  @Test("a path has as many steps as the limit allows")
  func steps() throws {
    let path = SyncPath("a", (0..<5).map { _ in .key("k", in: .root) })
    #expect(try SyncPath(decoding: path.encoded(), limits: limits) == path)
    let longer = path.appending(.key("k", in: .root))
    #expect(throws: SyncDecodingError.self) { try SyncPath(decoding: longer.encoded(), limits: limits) }
  }

  @Test("all items of a message count together")
  func items() {
    func map(_ count: Int) -> SyncValue {
      let set = SyncValue.set(SyncSet(incarnation: .root, values: (0..<count).map { .int(Int64($0)) }))
      return .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("a", set), SyncMapEntry("b", .null)]))
    }
    #expect(throws: Never.self) { try SyncValue(decoding: map(8).encoded(), limits: limits) }
    let error = #expect(throws: SyncDecodingError.self) { try SyncValue(decoding: map(9).encoded(), limits: limits) }
    #expect(error?.reason == .overLimit("items", 10))
  }

  @Test("names in runs count together, though they take no bytes")
  func runNames() throws {
    let object = ObjectName(className: "A", key: .int(1))
    func remove(_ counts: [UInt32]) -> SyncOperation {
      let runs = counts.compactMap { OperationIDRun(first: .root, count: $0) }
      return SyncOperation(object, .listRemove(SyncCollectionPath(SyncPath("l")), runs))
    }
    #expect(try SyncOperation(decoding: remove([6, 4]).encoded(), limits: limits) == remove([6, 4]))
    for counts in [[6, 5], [11], [.max]] as [[UInt32]] {
      let error = #expect(throws: SyncDecodingError.self) {
        try SyncOperation(decoding: remove(counts).encoded(), limits: limits)
      }
      #expect(error?.reason == .overLimit("names in runs", 10))
    }
  }

  @Test("a count is refused before anything is made of it")
  func counts() {
    // A list of 2^32 - 1 elements, a set of 2^63, and a text of 2^40 bytes, in a few bytes each.
    for bytes in [
      [14, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0],
      [15, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0],
      [7, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0x61],
    ] as [[UInt8]] {
      let error = #expect(throws: SyncDecodingError.self) { try SyncValue(decoding: bytes) }
      guard case .countTooLarge = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("a frame is as large as the limit allows, and no more is waited for")
  func frames() throws {
    let message = SyncMessage.authenticate(token: SyncText(String(repeating: "x", count: 2_000)))
    let bytes = SyncFrame(message).encoded()
    #expect(throws: SyncDecodingError(.overLimit("bytes of a frame", 1_000), at: 0)) {
      try SyncFrame(decoding: bytes, limits: limits)
    }
    var buffer = FrameBuffer(limits: limits)
    buffer.append(bytes[..<2])
    #expect(throws: SyncDecodingError.self) { try buffer.next() }
  }

  @Test("a greeting names as many commits as it may within the limits of the handshake")
  func handshake() throws {
    func hello(_ count: Int) -> SyncFrame {
      let retained = RetainedCommits(first: 1, nonces: (0..<UInt64(count)).map { $0 })
      return SyncFrame(
        .hello(
          Hello(
            tenant: "t", token: SyncText(String(repeating: "x", count: 8_000)), agent: "a", credential: nil,
            incarnation: 1, schemaFingerprint: 1,
            position: SyncPosition(epoch: 1, cursor: nil, view: nil, retained: retained), expands: true)))
    }
    let most = hello(RetainedCommits.most)
    #expect(try SyncFrame(decoding: most.encoded(), limits: .handshake) == most)
    #expect(throws: SyncDecodingError.self) {
      try SyncFrame(decoding: hello(2 * RetainedCommits.most + 1).encoded(), limits: .handshake)
    }
  }
}
