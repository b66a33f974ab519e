/// A column of groups: what rows are grouped by, or something worked out over the rows.
package enum GroupTerm: Hashable, Sendable {
  /// A key path, or what is computed: `hour(date)`.
  case key(String)
  /// Over a property, or over what is computed; the text is empty for `count`.
  case aggregate(GroupOperation, String)

  /// The text of the term, which is also the name of its column: `origin`, `count`, `average(delay)`, `percentile(delay, 90)`.
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
    let trimmed = TextParts.trimmed(text[...])
    guard let call = Self.call(trimmed), QueryFunction(name: call.name) == nil else {
      self = trimmed == "count" ? .aggregate(.count, "") : .key(String(trimmed))
      return
    }
    let arguments = call.arguments.map { String(TextParts.trimmed($0)) }
    if call.name == "count", arguments == [""] {
      self = .aggregate(.count, "")
      return
    }
    self = try Self.aggregate(call.name, arguments, text)
  }

  /// A name and what is in the parentheses after it, up to the end of the text; nil for other texts.
  private static func call(_ text: Substring) -> (name: String, arguments: [Substring])? {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = text.dropFirst(name.count).drop { $0.isWhitespace }
    guard !name.isEmpty, rest.first == "(", let close = TextParts.closing(rest),
      rest.index(after: close) == rest.endIndex
    else { return nil }
    return (name.lowercased(), TextParts.split(rest.dropFirst().dropLast()))
  }

  private static func aggregate(
    _ name: String, _ arguments: [String], _ text: String
  ) throws(PredicateError) -> GroupTerm {
    func fault(_ reason: String, suggestion: String? = nil) -> PredicateError {
      PredicateError(.unsupportedAggregate, reason, text: text, suggestion: suggestion)
    }
    guard functions.contains(name), name != "count" else {
      throw fault(
        name == "count"
          ? "count() has nothing in its parentheses: it is the number of rows"
          : "There is no function '\(name)' for groups",
        suggestion: name == "count"
          ? "count" : Nearest.name(to: name, among: functions + QueryFunction.allCases.map(\.rawValue)))
    }
    guard let path = arguments.first, !path.isEmpty, arguments.count == (name == "percentile" ? 2 : 1) else {
      throw fault(
        name == "percentile"
          ? "percentile takes a property and a number, as in percentile(delay, 90)" : "\(name) takes one property")
    }
    switch name {
    case "sum": return .aggregate(.sum, path)
    case "min": return .aggregate(.min, path)
    case "max": return .aggregate(.max, path)
    case "average": return .aggregate(.average, path)
    case "distinct": return .aggregate(.distinct, path)
    case "median": return .aggregate(.median, path)
    default: return .aggregate(.percentile(try rank(arguments[1])), path)
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
}
