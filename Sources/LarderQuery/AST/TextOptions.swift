/// The letters in brackets after a text operator.
package struct TextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`
  package static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// Everything holds an empty or nil needle; no letter means it.
  package static let matchesEmpty = TextOptions(rawValue: 4)

  package var text: String {
    intersection([.caseInsensitive, .diacriticInsensitive]).isEmpty
      ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}
