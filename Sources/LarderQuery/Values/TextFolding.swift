import Foundation
import LarderStorage

/// Folding for `[c]` and `[d]`: Unicode simple case folding, and canonical decomposition without combining marks
///
enum TextFolding {
  /// The folded UTF-8 of a text.
  package static func fold(_ text: String, _ options: TextOptions) -> [UInt8] {
    guard !options.isEmpty else { return Array(text.utf8) }
    var folded = String.UnicodeScalarView()
    let strips = options.contains(.diacriticInsensitive)
    let source = strips && !text.utf8.allSatisfy({ $0 < 0x80 }) ? text.decomposedStringWithCanonicalMapping : text
    for scalar in source.unicodeScalars {
      if strips, UnicodeFolding.isMark(scalar) { continue }
      folded.append(options.contains(.caseInsensitive) ? UnicodeFolding.simpleFold(scalar) : scalar)
    }
    return Array(String(folded).utf8)
  }
}
