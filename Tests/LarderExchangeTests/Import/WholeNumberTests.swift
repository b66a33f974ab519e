import Testing

@testable import LarderExchange

/// Whole numbers in all forms that JSON has for them.
@Suite struct WholeNumberTests {
  @Test(
    "whole numbers are read to the last digit",
    arguments: [
      ("0", 0), ("-0", 0), ("0.000", 0), ("0e999999999999999999", 0), ("12", 12), ("1.20e1", 12), ("-3.0", -3),
      ("1E3", 1_000),
      ("1500e-2", 15), ("9007199254740993.0", 9_007_199_254_740_993), ("9.007199254740993e15", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("-9.223372036854775808e18", .min),
    ] as [(String, Int64)])
  func whole(_ text: String, _ number: Int64) { #expect(WholeNumber.exactly(text) == number) }

  @Test(
    "anything else is no number",
    arguments: [
      "", "-", "x", "1.5", "15e-1", "1e-400", "9007199254740992.5", "9223372036854775808", "-9223372036854775809",
      "1e19",
      "1e9223372036854775807", "1e-9223372036854775808", "1.0e-9223372036854775808", "1e99999999999999999999", "1e",
    ])
  func none(_ text: String) { #expect(WholeNumber.exactly(text) == nil) }
}
