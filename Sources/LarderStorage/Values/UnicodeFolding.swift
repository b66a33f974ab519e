/// Unicode's simple case folding, and what counts as a mark on a letter.
package enum UnicodeFolding {
  /// Returns true if the scalar is a combining mark, which comparisons without diacritics leave out.
  package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    let category = scalar.properties.generalCategory
    return category == .nonspacingMark || category == .spacingMark
  }

  /// Folds one scalar to one scalar; letters whose folding is longer stay as they are.
  package static func simpleFold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
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
