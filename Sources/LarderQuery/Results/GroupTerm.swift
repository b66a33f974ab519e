/// A column of groups: a key path that rows are grouped by, or something worked out over the rows.
package enum GroupTerm: Hashable, Sendable {
  case key(String)
  /// The path is empty for `count`.
  case aggregate(GroupOperation, String)

  /// As it is written and as its column is called: `origin`, `count`, `average(delay)`, `percentile(delay, 90)`.
  package var title: String {
    switch self {
    case .key(let path): path
    case .aggregate(.count, _): "count"
    case .aggregate(.percentile(let rank), let path) where rank != 50: "percentile(\(path), \(Self.text(rank)))"
    case .aggregate(let operation, let path): "\(operation.name)(\(path))"
    }
  }

  /// Names that may be before a parenthesis.
  package static let functions = ["count", "sum", "min", "max", "average", "median", "percentile", "distinct"]

  /// Reads a title. Throws `PredicateError` for a function that there is not, and for one whose arguments do not fit.
  package init(_ text: String) throws(PredicateError) {
    let trimmed = Self.trimmed(text[...])
    guard let open = trimmed.firstIndex(of: "("), trimmed.last == ")" else {
      self = trimmed == "count" ? .aggregate(.count, "") : .key(String(trimmed))
      return
    }
    let name = Self.trimmed(trimmed[..<open]).lowercased()
    let inner = trimmed[trimmed.index(after: open)...].dropLast()
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map { String(Self.trimmed($0)) }
    func fault(_ reason: String, suggestion: String? = nil) -> PredicateError {
      PredicateError(.unsupportedAggregate, reason, text: text, suggestion: suggestion)
    }
    if name == "count", arguments.allSatisfy(\.isEmpty) {
      self = .aggregate(.count, "")
      return
    }
    guard Self.functions.contains(name), name != "count" else {
      throw fault(
        name == "count"
          ? "count() has nothing in its parentheses: it is the number of rows"
          : "There is no function '\(name)' for groups",
        suggestion: name == "count" ? "count" : Nearest.name(to: name, among: Self.functions))
    }
    guard let path = arguments.first, !path.isEmpty, arguments.count == (name == "percentile" ? 2 : 1) else {
      throw fault(
        name == "percentile"
          ? "percentile takes a property and a number, as in percentile(delay, 90)" : "\(name) takes one property")
    }
    switch name {
    case "sum": self = .aggregate(.sum, path)
    case "min": self = .aggregate(.min, path)
    case "max": self = .aggregate(.max, path)
    case "average": self = .aggregate(.average, path)
    case "distinct": self = .aggregate(.distinct, path)
    case "median": self = .aggregate(.median, path)
    default: self = .aggregate(.percentile(try Self.rank(arguments[1])), path)
    }
  }

  /// The number of a percentile. Throws `PredicateError` for what is no number from 0 to 100.
  package static func rank(_ text: String) throws(PredicateError) -> Double {
    guard let rank = Double(text), rank >= 0, rank <= 100 else {
      throw PredicateError(
        .unsupportedAggregate, "A percentile is a number from 0 to 100, not '\(text)'", text: text)
    }
    return rank
  }

  private static func text(_ rank: Double) -> String { Int(exactly: rank).map(String.init) ?? "\(rank)" }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
