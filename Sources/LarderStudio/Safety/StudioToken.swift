/// The secret that the page has to know: 128 random bits, as 32 hexadecimal digits.
package struct StudioToken: Hashable, Sendable, CustomStringConvertible {
  /// The variable that can give the process a token, so that open pages go on after a restart.
  package static let variable = "LARDER_STUDIO_TOKEN"

  package let description: String

  /// A new one, from the system's source of randomness.
  package init() {
    var generator = SystemRandomNumberGenerator()
    description = (0..<2).map { _ in Self.digits(generator.next()) }.joined()
  }

  /// One of 32 hexadecimal digits; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    description = text.lowercased()
  }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// True if a text is the token. Takes as long for every text of its length.
  package func matches(_ text: String) -> Bool {
    let (mine, theirs) = (Array(description.utf8), Array(text.lowercased().utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
