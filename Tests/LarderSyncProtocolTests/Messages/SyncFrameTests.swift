import LarderSyncProtocol
import TestBasics
import Testing

@Suite("Frames")
struct SyncFrameTests {
  @Test("a frame has its length, kind and flags before the message")
  func layout() throws {
    #expect(SyncFrame(.mark(5)).encoded() == [3, 13, 0, 5])
    let extended = SyncFrame(.mark(5), extensions: [SyncExtension(number: 2, bytes: [9])])
    #expect(extended.encoded() == [7, 13, 2, 1, 2, 1, 9, 5])
    #expect(try SyncFrame(decoding: extended.encoded()) == extended)
  }

  @Test("kinds of a newer version are kept when they may be left unread, and refused otherwise")
  func unknownKinds() throws {
    let message = try #require(UnknownMessage(kind: 64, body: [1, 2]))
    #expect(try SyncFrame(decoding: [4, 64, 0, 1, 2]).message == .unknown(message))
    #expect(UnknownMessage(kind: 63, body: []) == nil)
    for kind in [0, 20, 63] as [UInt8] {
      #expect(throws: SyncDecodingError(.unknownTag(UInt64(kind), of: "messages"), at: 3)) {
        try SyncFrame(decoding: [4, kind, 0, 1, 2])
      }
    }
  }

  @Test("extensions are kept when they may be left unread, and refused otherwise")
  func extensions() {
    #expect(throws: SyncDecodingError(.unknownExtension(3), at: 4)) {
      try SyncFrame(decoding: [7, 13, 2, 1, 3, 1, 9, 5])
    }
    #expect(throws: SyncDecodingError.self) { try SyncFrame(decoding: [4, 13, 2, 0, 5]) }
    #expect(throws: SyncDecodingError.self) { try SyncFrame(decoding: [8, 13, 2, 2, 4, 0, 2, 0, 5]) }
    #expect(throws: SyncDecodingError(.unknownTag(4, of: "flags of frames"), at: 2)) {
      try SyncFrame(decoding: [3, 13, 4, 5])
    }
  }

  /// Bytes as their number and the one that all of them are.
  private let runs = BodyCompression(
    minimumBytes: 8,
    compress: { body in body.allSatisfy { $0 == body[0] } ? [body[0]] : nil },
    expand: { bytes, count in bytes.count == 1 ? Array(repeating: bytes[0], count: count) : nil })

  @Test("a body is compressed when that makes it shorter")
  func compression() throws {
    // A text of 65 letters has the code of the letter as its length.
    let frame = SyncFrame(.authenticate(token: SyncText(String(repeating: "A", count: 65))))
    let bytes = frame.encoded(compression: runs)
    #expect(bytes == [4, 3, 1, 66, 65])
    #expect(try SyncFrame(decoding: bytes, compression: runs) == frame)
    #expect(try SyncFrame(decoding: frame.encoded(), compression: runs) == frame)
    #expect(throws: SyncDecodingError.self) { try SyncFrame(decoding: bytes) }
    let small = DecodingLimits(frameBytes: 60, items: 10, runNames: 10, depth: 3)
    #expect(throws: SyncDecodingError(.overLimit("bytes of an expanded frame", 60), at: 4)) {
      try SyncFrame(decoding: bytes, limits: small, compression: runs)
    }
    let plain = SyncFrame(.authenticate(token: "not all the same"))
    #expect(plain.encoded(compression: runs) == plain.encoded())
  }

  @Test("frames come out of a stream whole, however it is cut")
  func stream() throws {
    var generator = SyncGenerator(SeededRandom.forTest(), site: SyncGenerator.sites[2])
    let site = SyncGenerator.sites[2]
    let frames = (0..<60).map { _ in
      generator.site = site
      return generator.frame()
    }
    var rest = frames.flatMap { $0.encoded(site: site) }[...]
    var buffer = FrameBuffer()
    var found: [SyncFrame] = []
    while !rest.isEmpty {
      let count = min(rest.count, generator.random.int(1..<90))
      buffer.append(rest.prefix(count))
      rest = rest.dropFirst(count)
      while let frame = try buffer.next(site: site) { found.append(frame) }
    }
    #expect(found == frames)
    #expect(buffer.waiting == 0)
  }

  @Test("an error of a stream has its place in the frame")
  func streamErrors() throws {
    var buffer = FrameBuffer()
    buffer.append([3, 13, 0, 5, 3, 13, 4, 5])
    #expect(try buffer.next()?.message == .mark(5))
    #expect(throws: SyncDecodingError(.unknownTag(4, of: "flags of frames"), at: 2)) { try buffer.next() }
  }
}
