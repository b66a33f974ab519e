import LarderObservation
import LarderStorage
import Testing

@testable import Larder

/// Tests of what results hold of what they found, without a store.
@Suite("Contents of results") struct ResultsContentsTests {
  private static let keys = (1...4).map { ObjectKey(rawValue: $0) }
  private var contents = ResultsContents()

  @Test("nothing was found at first") func nothing() {
    #expect(!contents.isWhole && !contents.isWhole(at: 0) && contents.count == 0 && contents.firstKey == nil)
    #expect(contents.head(at: 0) == nil && contents.delivered == nil && contents.values.isEmpty)
  }

  @Test("all keys, at their moment and at later ones that changed nothing") mutating func keys() {
    contents.hold(.keys(Self.keys), stamp: 7, version: 3)
    #expect(contents.isWhole(at: 7) && !contents.isWhole(at: 8) && contents.isWhole && contents.version == 3)
    #expect(contents.count == 4 && contents.firstKey == Self.keys[0] && contents.unpackedKeys() == Self.keys)
    contents.confirm(stamp: 8, version: 4)
    #expect(contents.isWhole(at: 8) && contents.version == 4 && contents.unpackedKeys() == Self.keys)
  }

  @Test("the first keys are not all of them, and hold for one moment") mutating func head() {
    contents.hold(.head(Array(Self.keys.prefix(2))), stamp: 7, version: nil)
    #expect(!contents.isWhole && contents.head(at: 7) == Array(Self.keys.prefix(2)) && contents.head(at: 8) == nil)
    contents.hold(.keys(Self.keys), stamp: 7, version: 3)
    #expect(contents.head(at: 7) == nil)
  }

  @Test("delivered keys are read in place, until they are all asked for") mutating func delivered() {
    contents.hold(.delivered(KeySequence(Self.keys), reads: 0), stamp: 7, version: 3)
    #expect(contents.isWhole && contents.count == 4 && contents.firstKey == Self.keys[0])
    #expect(contents.deliveredKey(at: 3) == Self.keys[3] && contents.deliveredKey(at: 4) == nil)
    #expect(contents.deliveredKey(at: -1) == nil && contents.delivered != nil)
    #expect(contents.unpackedKeys() == Self.keys && contents.delivered == nil && contents.deliveredKey(at: 0) == nil)
  }

  @Test("reading many delivered keys by position has all of them unpacked") mutating func patience() {
    contents.hold(.delivered(KeySequence(Self.keys), reads: 0), stamp: 7, version: 3)
    for _ in 0..<ResultsContents.deliveredPatience { #expect(contents.deliveredKey(at: 1) == Self.keys[1]) }
    #expect(contents.deliveredKey(at: 1) == nil && contents.unpackedKeys() == Self.keys)
  }

  @Test("values have no keys") mutating func values() {
    contents.hold(.values([.int(1), .null]), stamp: 7, version: 3)
    #expect(contents.isWhole && contents.count == 2 && contents.firstKey == nil && contents.values == [.int(1), .null])
    #expect(contents.unpackedKeys().isEmpty)
  }
}
