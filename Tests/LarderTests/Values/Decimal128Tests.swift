import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

@Suite struct Decimal128Tests {
  func decimal(_ text: String) -> Decimal128 { Decimal128(stringLiteral: text) }

  @Test(
    "F-30: text is read as IEEE 754 says, and written without zeros at the end and signs of exponents",
    arguments: [
      ("0", "0"), ("12.50", "12.5"), ("-0", "-0"), ("1E+5", "1E5"), ("1.5E+2", "1.5E2"), ("-1.0", "-1"),
      ("1e-7", "1E-7"), ("0.000001", "0.000001"),
      ("0.0000001", "1E-7"), ("123456789012345678901234567890.1234", "123456789012345678901234567890.1234"),
      ("9999999999999999999999999999999999", "9999999999999999999999999999999999"),
      ("99999999999999999999999999999999995", "1E35"),
      ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E34"),
      ("12345678901234567890123456789012355", "1.234567890123456789012345678901236E34"),
      ("1E+7000", "Inf"), ("-1E+7000", "-Inf"), ("1E-7000", "0"), ("nan", "NaN"), ("inf", "Inf"), ("100", "100"),
      ("0.00", "0"), ("1.2345E-9", "1.2345E-9"),
      ("abc", "NaN"), ("1.2.3", "NaN"), ("", "NaN"), ("-", "NaN"), ("1e", "NaN"), ("+5", "5"), (".5", "0.5"),
    ])
  func text(_ source: String, _ expected: String) {
    #expect(decimal(source).stringValue == expected)
  }

  @Test("Sums, differences, products and quotients are exact or rounded half to even")
  func arithmetic() {
    #expect((decimal("0.1") + decimal("0.2")).stringValue == "0.3")
    #expect((decimal("1") - decimal("0.9")).stringValue == "0.1")
    #expect((decimal("1.50") * decimal("2")).stringValue == "3")
    #expect((decimal("1") / decimal("3")).stringValue == "0.3333333333333333333333333333333333")
    #expect((decimal("2") / decimal("3")).stringValue == "0.6666666666666666666666666666666667")
    #expect((decimal("10") / decimal("4")).stringValue == "2.5")
    #expect((decimal("1E+34") + decimal("0.5")).stringValue == "1E34")
    #expect((decimal("1E+33") + decimal("0.5")).stringValue == "1000000000000000000000000000000000")
    #expect((decimal("1E+33") + decimal("1.5")).stringValue == "1000000000000000000000000000000002")
    #expect((decimal("1E+40") - decimal("1")).stringValue == "1E40")
    #expect((decimal("1") / decimal("0")).stringValue == "Inf")
    #expect((decimal("0") / decimal("0")).isNaN)
    #expect(
      (decimal("9999999999999999999999999999999999") * decimal("9999999999999999999999999999999999")).stringValue
        == "9.999999999999999999999999999999998E67")
  }

  @Test("Numbers compare by value: 1.0 is 1.00, a NaN is a NaN and is below all")
  func comparison() {
    #expect(decimal("1.0") == decimal("1.00"))
    #expect(decimal("1.0").hash == decimal("1.00").hash)
    #expect(decimal("nan") == decimal("nan"))
    #expect(decimal("nan") < Decimal128.min)
    #expect(decimal("-1E+10") < decimal("1E-10"))
    #expect(decimal("0") == decimal("-0"))
    #expect(decimal("99") < decimal("1E+2"))
    #expect(decimal("inf") > Decimal128.max)
  }

  @Test("Bits round-trip, and are the encoding other software reads")
  func bits() {
    #expect(decimal("0").bits == Decimal128Bits(high: 0x3040_0000_0000_0000, low: 0))
    #expect(decimal("1").bits == Decimal128Bits(high: 0x3040_0000_0000_0000, low: 1))
    #expect(decimal("-1.5").bits == Decimal128Bits(high: 0xB03E_0000_0000_0000, low: 15))
    #expect(decimal("inf").bits.high == 0x7800_0000_0000_0000)
    for text in ["12.50", "-1E+6111", "9999999999999999999999999999999999E+6111", "1E-6176", "NaN", "-Infinity"] {
      let value = decimal(text)
      #expect(Decimal128(bits: value.bits).stringValue == value.stringValue)
    }
  }

  @Test("Random sums and products of integers agree with 64-bit arithmetic")
  func random() {
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let a = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let b = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let (x, y) = (Decimal128(integerLiteral: a), Decimal128(integerLiteral: b))
      #expect((x + y).stringValue == "\(a + b)", "\(random)")
      #expect((x * y).stringValue == "\(a * b)" || a * b == 0, "\(random)")
      #expect((x < y) == (a < b))
      if b != 0, a * b % b == 0 { #expect((x * y) / y == x, "\(random)") }
    }
  }

  @Test("Literals, conversions and Codable")
  func conversions() throws {
    let literal: Decimal128 = 1.25
    #expect(literal.doubleValue == 1.25 && literal.decimalValue == Decimal(string: "1.25"))
    #expect(Decimal128(value: 5).stringValue == "5")
    #expect(Decimal128(exactly: 7) == 7)
    let coded = try JSONDecoder().decode([Decimal128].self, from: JSONEncoder().encode([literal, "nan"]))
    #expect(coded == [literal, "nan"])
    let value = Decimal128(5)
    value.negate()
    #expect(value == -5 && value.magnitude == 5)
  }

  @Test("F-30: nil is NaN, numbers give their shortest text, and the JSON of a model has it too") func fromNil() throws
  {
    let nothing = Decimal128(value: NSNull())
    #expect(nothing.isNaN && nothing.isSignaling && nothing.isSignalingNaN && nothing.stringValue == "NaN")
    let none = Decimal128(value: Int?.none as Any)
    #expect(none.isNaN)
    let minusOne: Decimal128 = -1.0
    #expect(minusOne.description == "-1")
    #expect(Decimal128(number: 150.0).description == "150")
    #expect((decimal("1.234567") + decimal("9.876543")).description == "11.11111")
    let json = try JSONEncoder().encode([decimal("1.5E+2"), decimal("11.111110"), minusOne])
    #expect(String(decoding: json, as: UTF8.self) == #"["1.5E2","11.11111","-1"]"#)
    #expect(try JSONDecoder().decode([Decimal128].self, from: json) == [decimal("150"), decimal("11.11111"), minusOne])
  }
}
