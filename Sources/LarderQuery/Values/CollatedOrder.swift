import Foundation
import LarderStorage

/// Orders values by a collation: text as it says, anything else by value.
struct CollatedOrder {
  private let collation: TextCollation
  private let locale: Locale?

  init(_ collation: TextCollation) {
    self.collation = collation
    if case .locale(let identifier) = collation { locale = Locale(identifier: identifier) } else { locale = nil }
  }

  /// Negative, zero or positive as the first sorts before, with or after the second. Only identical texts sort together, so that
  /// the order does not hang on where they were.
  func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    guard case .string(let left) = a, case .string(let right) = b else { return ValueOrder.compare(a, b) }
    switch collation {
    case .binary: break
    case .folded(let options):
      let order = ValueOrder.bytewise(TextFolding.fold(left, options), TextFolding.fold(right, options))
      if order != 0 { return order }
    case .locale:
      let order = left.compare(right, locale: locale).rawValue
      if order != 0 { return order }
    }
    return ValueOrder.compare(a, b)
  }
}
