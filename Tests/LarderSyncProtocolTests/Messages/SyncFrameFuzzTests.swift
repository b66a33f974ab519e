import LarderSyncProtocol
import TestBasics
import TestTraits
import Testing

/// Frames of random messages give those messages, and no bytes at all do harm. `LARDER_SYNC_INPUTS` says how many are tried.
@Suite("Random frames", .long)
struct SyncFrameFuzzTests {
  private let site = SyncGenerator.sites[3]
  private let limits = DecodingLimits(frameBytes: 1 << 16, items: 2_000, runNames: 10_000, depth: 12)

  /// Checks that bytes that decode have one form, and decode to the same again.
  private func check(_ bytes: [UInt8], _ accepted: inout Int) {
    guard let frame = try? SyncFrame(decoding: bytes, limits: limits, site: site) else { return }
    accepted += 1
    #expect(frame.encoded(site: site) == bytes, "bytes that are not canonical were accepted: \(bytes)")
  }

  /// Bytes as a frame with the right length before them.
  private func framed(_ body: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.data(body)
    return writer.bytes
  }

  /// A frame without its length.
  private func unframed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[((bytes.firstIndex { $0 < 0x80 } ?? 0) + 1)...])
  }

  @Test("decoding what was encoded gives the frame, and encoding that the same bytes")
  func roundTrip() throws {
    var generator = SyncGenerator(SeededRandom.forTest(), site: site)
    for _ in 0..<SyncInputs.count {
      generator.site = site
      let frame = generator.frame()
      let bytes = frame.encoded(site: site)
      let decoded = try SyncFrame(decoding: bytes, site: site)
      #expect(decoded == frame)
      #expect(decoded.encoded(site: site) == bytes)
    }
  }

  @Test("mutated frames are refused or have one form")
  func mutations() {
    var generator = SyncGenerator(SeededRandom.forTest(), site: site)
    var (others, accepted): ([UInt8], Int) = ([], 0)
    for _ in 0..<SyncInputs.count {
      generator.site = site
      let bytes = generator.frame().encoded(site: site)
      let isFramedAgain = !generator.random.oneIn(8)
      let mutated = generator.random.mutated(isFramedAgain ? unframed(bytes) : bytes, with: others)
      check(isFramedAgain ? framed(mutated) : mutated, &accepted)
      others = bytes
    }
    #expect(accepted > 0, "no mutation was accepted: the tests say nothing about canonical form")
  }

  @Test("random bytes are refused or have one form")
  func randomBytes() {
    var random = SeededRandom.forTest()
    var accepted = 0
    for _ in 0..<SyncInputs.count {
      var body = random.bytes(count: random.int(0..<(random.oneIn(3) ? 6 : 80)))
      // Small numbers are counts and tags that come far.
      if random.oneIn(2) { body = body.map { $0 & 0x8F } }
      if random.oneIn(2) { body = body.map { $0 & 0x07 } }
      if body.count > 1, !random.oneIn(4) { (body[0], body[1]) = (UInt8(random.int(1..<20)), 0) }
      check(random.oneIn(8) ? body : framed(body), &accepted)
    }
    #expect(accepted > 0, "no input was accepted: the tests say nothing about canonical form")
  }

  @Test("no part of a frame is a frame")
  func truncations() {
    var generator = SyncGenerator(SeededRandom.forTest(), site: site)
    for _ in 0..<max(SyncInputs.count / 40, 20) {
      generator.site = site
      let bytes = generator.frame().encoded(site: site)
      for count in 0..<bytes.count {
        #expect(throws: SyncDecodingError.self) { try SyncFrame(decoding: Array(bytes[..<count]), site: site) }
      }
    }
  }

  @Test("a large number in the place of any byte does no harm")
  func largeNumbers() {
    var generator = SyncGenerator(SeededRandom.forTest(), site: site)
    var accepted = 0
    for _ in 0..<max(SyncInputs.count / 100, 10) {
      generator.site = site
      let body = unframed(generator.frame().encoded(site: site))
      for place in body.indices {
        var large = body
        large.replaceSubrange(place...place, with: generator.random.largeNumber())
        check(framed(large), &accepted)
      }
    }
  }
}
