/// The letters in brackets after a text operator.
package struct TextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  package var text: String {
    isEmpty ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}
