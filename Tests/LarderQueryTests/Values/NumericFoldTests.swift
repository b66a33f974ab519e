import LarderStorage
import Testing

@testable import LarderQuery

@Suite struct NumericFoldTests {
  @Test("Q-56, Q-171 where a sum of integers wraps, the average is still that of the numbers")
  func average() {
    var fold = NumericFold(.sum)
    for _ in 0..<2 { fold.add(.int(.max)) }
    #expect(fold.answer(.sum, .int) == .int(-2))
    #expect(fold.answer(.average, .int) == .double(Double(Int64.max)))
  }

  @Test("Q-138 LIKE steps through text by scalars, and through data by bytes") func like() {
    func matches(_ pattern: [UInt8], _ bytes: [UInt8], isText: Bool) -> Bool {
      bytes.withUnsafeBytes { LikePattern(pattern, isText: isText).matches($0) }
    }
    #expect(matches([0x2A, 0xA9], [0xC3, 0xA9], isText: false))
    #expect(!matches([0x3F], [0x41, 0x80, 0x80], isText: false))
    #expect(matches([0x3F, 0x3F, 0x3F], [0x41, 0x80, 0x80], isText: false))
    #expect(matches([0x3F], [0xC3, 0xA9], isText: true))
  }
}
