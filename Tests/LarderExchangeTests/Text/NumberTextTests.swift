import Foundation
import TestSupport
import Testing

@testable import LarderExchange

/// Numbers that are read and written in place mean what the standard library makes of them.
@Suite struct NumberTextTests {
  private func read(_ text: String) -> Double? { TextBytes.with(text) { NumberText.double($0, 0..<$0.count) } }

  @Test func anyDecimalNumberIsTheNearestDouble() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let digits = random.int(1...19)
      var text = random.oneIn(3) ? "-" : ""
      let point = random.int(0...digits)
      for place in 0..<digits {
        if place == point, place > 0 { text += "." }
        text += String(random.int(0...9))
      }
      if random.oneIn(2) { text += "e\(random.int(-330...330))" }
      guard let wanted = Double(text), wanted.isFinite else { continue }
      #expect(read(text)?.bitPattern == wanted.bitPattern, "\(text)")
    }
  }

  @Test func everyDoubleIsReadBackFromItsText() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let value =
        random.oneIn(2)
        ? Double(bitPattern: random.next())
        : Double(random.int(-1_000_000_000...1_000_000_000)) / Double(random.pick([1, 10, 100, 1000, 7, 65_536]))
      guard value.isFinite else { continue }
      #expect(read("\(value)")?.bitPattern == value.bitPattern, "\(value)")
      let output = ByteOutput()
      output.append(value)
      #expect(String(decoding: output.take(), as: UTF8.self) == "\(value)")
    }
  }

  @Test(arguments: [
    "", "-", ".", "1.", ".5", "+1", "1e", "1e+", "0x10", "nan", "inf", " 1", "1 ", "1.5.2", "--1", "1,5",
  ])
  func otherFormsAreLeftToOthers(_ text: String) {
    #expect(read(text) == nil)
    #expect(TextBytes.with(text) { NumberText.integer($0, 0..<$0.count) } == nil)
  }

  @Test func wholeNumbersAreWrittenAsTheyAre() {
    var random = SeededRandom.forTest()
    for number in [0, -1, 9, 10, .max, .min, 99, 100]
      + (0..<2000).map({ _ in Int64(bitPattern: random.next() >> UInt64(random.int(0...63))) })
    {
      let output = ByteOutput()
      output.append(number)
      #expect(String(decoding: output.take(), as: UTF8.self) == "\(number)")
    }
  }

  @Test func randomBytesAreUTF8WhereTheStandardLibrarySaysSo() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let bytes = (0..<random.int(1...12)).map { _ in
        random.pick([
          UInt8(0x41), 0x80, 0xBF, 0xC2, 0xC1, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0x9F, 0xA0, 0x90, 0x8F,
          UInt8(random.int(0...255)),
        ])
      }
      let isValid = bytes.withUnsafeBytes { TextBytes($0).map { $0.isUTF8(0..<$0.count) } }
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}
