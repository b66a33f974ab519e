/// Bars in one line of text, as high as the numbers they show.
package struct Sparkline: Equatable, Sendable {
  /// The characters that bars are drawn with.
  package enum Marks: Sendable {
    case blocks
    /// For terminals and files of other encodings.
    case ascii

    /// Returns the marks that the locale has characters for: blocks where its encoding is UTF-8, or none is said.
    package static func of(_ environment: [String: String]) -> Marks {
      let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else { return .blocks }
      return name.contains("utf-8") || name.contains("utf8") ? .blocks : .ascii
    }

    /// The mark of nothing, and then those of ever more.
    fileprivate var characters: [Character] {
      switch self {
      case .blocks: ["·", "▁", "▂", "▃", "▅", "▇"]
      case .ascii: [".", "_", "-", "=", "+", "#"]
      }
    }
  }

  package static let binCount = 8

  /// The number of values in each of the bins, which are of equal width.
  package private(set) var bins: [Int]

  package init(bins: [Int]) { self.bins = bins }

  /// Counts values between the smallest and the largest of them; nil where there are none, or one that is no number.
  package init?(_ values: [Double]) {
    guard let least = values.min(), let most = values.max(), least.isFinite, most.isFinite else { return nil }
    bins = Array(repeating: 0, count: Self.binCount)
    for value in values {
      guard value.isFinite else { return nil }
      // Halved, so that the width of all of them is finite.
      let share = most > least ? (value / 2 - least / 2) / (most / 2 - least / 2) : 0
      bins[max(0, min(Self.binCount - 1, Int(share * Double(Self.binCount))))] += 1
    }
  }

  /// A character for each bin: the mark of nothing for an empty one, others by their share of the fullest.
  package func text(_ marks: Marks) -> String {
    let characters = marks.characters
    let most = bins.max() ?? 0
    return String(
      bins.map { count in
        guard count > 0 else { return characters[0] }
        let levels = Double(characters.count - 1)
        return characters[max(1, Int((Double(count) / Double(most) * levels).rounded(.up)))]
      })
  }
}
