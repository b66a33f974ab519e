import Foundation
import LarderStorage
import TestSupport
import Testing

/// Decimal numbers against the results of another implementation, in `Fixtures/decimal`.
@Suite("Decimal numbers") struct DecimalNumberTests {
  private static let cases: [[Substring]] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/decimal/cases.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.split(separator: " ") }
  }()

  private func number(_ text: Substring) throws -> DecimalNumber { try #require(DecimalNumber(text), "\(text)") }

  @Test("Sums, differences, products and quotients are the nearest numbers") func arithmetic() throws {
    var count = 0
    for line in Self.cases where line.count == 4 && line[1] != "<=>" {
      let (a, b) = (try number(line[0]), try number(line[2]))
      let result =
        switch line[1] {
        case "+": a + b
        case "-": a - b
        case "*": a * b
        default: a / b
        }
      #expect(result.description == line[3], "\(line.joined(separator: " "))")
      count += 1
    }
    #expect(count == 1_200)
  }

  @Test("The order is that of the numbers, and equal numbers have one canonical form") func order() throws {
    var count = 0
    for line in Self.cases where line.count == 4 && line[1] == "<=>" {
      let (a, b) = (try number(line[0]), try number(line[2]))
      #expect((a < b) == (line[3] == "-1") && (b < a) == (line[3] == "1"), "\(line.joined(separator: " "))")
      #expect((a == b) == (line[3] == "0") && (a.canonicalBits == b.canonicalBits) == (a == b), "\(line)")
      #expect(DecimalNumber(a.canonicalBits) == a)
      count += 1
    }
    #expect(count > 200)
  }

  @Test("Text is rounded half to even at 34 digits") func text() throws {
    var count = 0
    for line in Self.cases where line.count == 3 {
      #expect(try number(line[0]).description == line[2], "\(line[0])")
      count += 1
    }
    #expect(count == 200)
  }

  @Test("Equal numbers of different precision have one canonical form")
  func canonical() throws {
    for group in [["1", "1.0", "1.000", "10E-1"], ["0", "-0", "0E+5", "0.00"], ["1E+6144", "10E+6143"], ["1E-6176"]] {
      let bits = try group.map { try #require(DecimalNumber($0)).canonicalBits }
      #expect(Set(bits).count == 1, "\(group)")
    }
    #expect(DecimalNumber.nan.canonicalBits == (try #require(DecimalNumber("-snan"))).canonicalBits)
    #expect(try #require(DecimalNumber("-inf")).canonicalBits != (try #require(DecimalNumber("inf"))).canonicalBits)
  }

  @Test(
    "Malformed text is no number",
    arguments: ["", " 1", "1 ", "abc", "1.2.3", "-", "1e", "0x10", "1_0", "nan5", "--nan", "1\0", "Infinit", "1E+-5"])
  func malformed(_ text: String) { #expect(DecimalNumber(text) == nil) }

  @Test("Random text is a number exactly when it looks like one") func grammar() throws {
    var random = SeededRandom.forTest()
    let number = try Regex("[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|inf|infinity|s?nan)").ignoresCase()
    for _ in 0..<20_000 {
      let text = String((0..<random.int(0...7)).map { _ in random.pick("01259..eE+-+- infa") })
      #expect((DecimalNumber(text) != nil) == (text.wholeMatch(of: number) != nil), "'\(text)'")
    }
  }

  @Test("Encodings that no number has count as zero") func unusual() {
    let beyond = DecimalNumber(Decimal128Bits(high: 0x6C00_0000_0000_0000, low: 5))
    #expect(beyond.isZero && beyond == .zero)
  }
}
