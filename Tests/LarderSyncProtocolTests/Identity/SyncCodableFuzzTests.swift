import LarderSyncProtocol
import TestBasics
import TestTraits
import Testing

/// The tests of parts of messages by themselves: they come back from bytes of their own as well, as a server keeps them. `LARDER_SYNC_INPUTS` says
/// how many are tried.
@Suite("Random values by themselves", .long)
struct SyncCodableFuzzTests {
  private let limits = DecodingLimits(frameBytes: 1 << 16, items: 2_000, runNames: 10_000, depth: 12)

  /// Checks a value's bytes, and some that are nearly them.
  private func check<Value: SyncCodable & Equatable>(
    _ value: Value, site: SiteID?, _ generator: inout SyncGenerator
  ) throws {
    let bytes = value.encoded(site: site)
    #expect(try Value(decoding: bytes, site: site) == value)
    let mutated = generator.random.mutated(bytes, with: bytes)
    if let other = try? Value(decoding: mutated, limits: limits, site: site) {
      #expect(other.encoded(site: site) == mutated, "bytes that are not canonical were accepted: \(mutated)")
      #expect((other == value) == (mutated == bytes))
    }
  }

  @Test("values of every type come back, with and without the author's site")
  func roundTrip() throws {
    var generator = SyncGenerator(SeededRandom.forTest())
    for _ in 0..<max(SyncInputs.count / 10, 200) {
      let site = generator.random.oneIn(2) ? nil : generator.anySite()
      generator.site = site
      try check(generator.value(depth: 5), site: site, &generator)
      try check(generator.commit(siteVersion: generator.number()), site: site, &generator)
      try check(generator.record(version: generator.number()), site: site, &generator)
      try check(generator.objectDelta(), site: site, &generator)
      try check(generator.cell(), site: site, &generator)
      try check(generator.path(), site: site, &generator)
      try check(generator.collection(), site: site, &generator)
      try check(generator.stamp(), site: site, &generator)
      try check(generator.marker(), site: site, &generator)
      try check(generator.page(), site: site, &generator)
      for run in generator.runs() { try check(run, site: site, &generator) }
    }
  }
}
