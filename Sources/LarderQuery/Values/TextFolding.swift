import Foundation

/// Folding for `[c]` and `[d]`: Unicode simple case folding, and canonical decomposition without combining marks
///
package enum TextFolding {
  /// The folded UTF-8 of a text.
  package static func fold(_ text: String, _ options: TextOptions) -> [UInt8] {
    guard !options.isEmpty else { return Array(text.utf8) }
    var folded = String.UnicodeScalarView()
    let strips = options.contains(.diacriticInsensitive)
    let source = strips && !text.utf8.allSatisfy({ $0 < 0x80 }) ? text.decomposedStringWithCanonicalMapping : text
    for scalar in source.unicodeScalars {
      if strips, isMark(scalar) { continue }
      folded.append(options.contains(.caseInsensitive) ? simpleFold(scalar) : scalar)
    }
    return Array(String(folded).utf8)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    let category = scalar.properties.generalCategory
    return category == .nonspacingMark || category == .spacingMark
  }

  /// Folds one scalar to one scalar; letters whose folding is longer stay as they are.
  static func simpleFold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return scalar.value >= 0x41 && scalar.value <= 0x5A ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar
    }
    // Dotless i has an upper case letter of its own accord, but does not fold to i.
    if scalar.value == 0x131 { return scalar }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(upper.properties.lowercaseMapping) ?? upper
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return nil }
    return first
  }
}
