import LarderQuery

/// The differences that a comparison of text takes no notice of.
public struct StringOptions: OptionSet, Sendable {
  /// One bit for each option.
  public let rawValue: Int8
  /// From bits.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// Letters that differ in case only are equal, by the simple case folding of Unicode.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Letters that differ in accents only are equal. Not for `like`.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  /// The same bits mean the same.
  var textOptions: TextOptions { TextOptions(rawValue: UInt8(truncatingIfNeeded: rawValue & 3)) }
}
