/// A condition on groups with names in place of `average(delay)` and `country.name`, each as long as what it replaces wherever that can be,
/// so that positions of mistakes are right.
struct GroupConditionText {
  private(set) var rewritten = ""
  private(set) var terms: [(term: GroupTerm, name: String)] = []
  private let keys: [String]
  private let names: [String: GroupTerm]

  init(_ text: String, keys: [String], names: [String: GroupTerm]) throws(PredicateError) {
    (self.keys, self.names) = (keys, names)
    for key in keys { _ = name(of: .key(key), key) }
    if !keys.contains("count") { _ = name(of: .aggregate(.count, ""), "count") }
    var rest = text[...]
    while let first = rest.first {
      if first == "\"" || first == "'" {
        copyQuoted(first, &rest)
      } else if first.isLetter || first == "_" {
        try copyWord(&rest)
      } else if first.isNumber || first == "$" || first == "%" {
        let run = rest.prefix { $0.isNumber || $0.isLetter || $0 == "." || $0 == "$" || $0 == "%" }
        rewritten += run
        rest = rest.dropFirst(run.count)
      } else {
        rewritten.append(rest.removeFirst())
      }
    }
  }

  private mutating func copyQuoted(_ quote: Character, _ rest: inout Substring) {
    rewritten.append(rest.removeFirst())
    while let next = rest.first {
      rewritten.append(rest.removeFirst())
      if next == quote { return }
      if next == "\\", !rest.isEmpty { rewritten.append(rest.removeFirst()) }
    }
  }

  private mutating func copyWord(_ rest: inout Substring) throws(PredicateError) {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "@" }
    let after = rest.dropFirst(word.count).drop { $0 == " " }
    if after.first == "(", GroupTerm.functions.contains(word.lowercased()), let close = TextParts.closing(after) {
      let piece = rest[...close]
      rewritten += name(of: try GroupTerm(String(piece)), String(piece))
      rest = rest[rest.index(after: close)...]
      return
    }
    let text = String(word)
    if let term = names[text] {
      rewritten += name(of: term, text)
    } else {
      rewritten += keys.contains(text) ? name(of: .key(text), text) : text
    }
    rest = rest.dropFirst(word.count)
  }

  /// The name of a term: of letters, digits and underscores, and no other's.
  private mutating func name(of term: GroupTerm, _ piece: String) -> String {
    if let known = terms.first(where: { $0.term == term }) { return known.name }
    var name = String(piece.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    while terms.contains(where: { $0.name == name }) { name += "_" }
    terms.append((term, name))
    return name
  }
}
