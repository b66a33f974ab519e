import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@Suite struct DateTextTests {
  @Test(
    arguments: [
      ("1970-01-01", 0, 0), ("2013-01-31T10:00:00Z", 1_359_626_400, 0), ("2000-02-29 23:59", 951_868_740, 0),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000), ("2024-03-10T12:00:00+05:30", 1_710_052_200, 0),
      ("2024-03-10T12:00:00-0800", 1_710_100_800, 0), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
    ] as [(String, Int64, UInt32)])
  func datesAreRead(_ text: String, _ seconds: Int64, _ nanoseconds: UInt32) {
    #expect(DateText.parse(text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    arguments: [
      "", "2013", "2013-13-01", "2013-02-29", "2013-01-31T", "2013-01-31T25:00", "2013-01-31T10:00:00X",
      "2013-01-31T10:00:00.Z", "2013-1-1", "2013-01-01Zx", "abcd-01-01",
    ])
  func otherTextIsNoDate(_ text: String) {
    #expect(DateText.parse(text) == nil)
  }

  @Test func whatIsWrittenIsReadBack() {
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let nanoseconds = random.oneIn(2) ? 0 : UInt32(random.int(0..<1_000_000_000))
      // Years 0 to 9999: outside of them the text has more than four digits.
      let date = Timestamp(seconds: Int64(random.int(-62_167_219_200..<253_402_300_800)), nanoseconds: nanoseconds)
      let text = DateText.format(date)
      #expect(DateText.parse(text) == date, "\(text)")
    }
    #expect(DateText.format(Timestamp(seconds: 0)) == "1970-01-01T00:00:00Z")
    #expect(DateText.format(Timestamp(seconds: -1, nanoseconds: 500_000_000)) == "1969-12-31T23:59:59.5Z")
  }
}

@Suite struct DecimalTextTests {
  @Test(
    arguments: [
      ("0", "0"), ("-12.50", "-12.50"), ("1e3", "1E+3"), ("0.001", "0.001"), ("1E-9", "1E-9"),
      ("9999999999999999999999999999999999", "9999999999999999999999999999999999"), ("+.5", "0.5"),
    ])
  func decimalsKeepTheirDigits(_ text: String, _ written: String) throws {
    #expect((try #require(DecimalNumber(exactly: text))).description == written)
  }

  @Test(arguments: ["", ".", "1.2.3", "x", "1e", "12345678901234567890123456789012345", "1e7000"])
  func otherTextIsNoDecimal(_ text: String) {
    #expect(DecimalNumber(exactly: text) == nil)
  }
}

@Suite struct SuggestionTests {
  @Test func theNearestNameIsFound() {
    let names = ["name", "population", "alternateNames", "country"]
    #expect(Suggestion.nearest(to: "nmae", in: names) == "name")
    #expect(Suggestion.nearest(to: "Populatoin", in: names) == "population")
    #expect(Suggestion.nearest(to: "zzz", in: names) == nil)
    #expect(Suggestion.sentence(for: "contry", in: names) == " Did you mean 'country'?")
  }
}
