/// Names that classes and properties can have: those that Swift can declare, and predicates can therefore name.
package enum ModelName {
  /// Says why a text cannot be the name of a class; nil when it can.
  package static func fault(ofClass name: String) -> String? {
    if reservedClasses.contains(name) { return "'\(name)' cannot be the name of a class: Larder has one of that name" }
    return isIdentifier(name) ? nil : "'\(name)' cannot be the name of a class: \(rule)"
  }

  /// Says why a text cannot be the name of a property; nil when it can.
  package static func fault(ofProperty name: String) -> String? {
    isIdentifier(name) ? nil : "'\(name)' cannot be the name of a property: \(rule)"
  }

  /// A name that is nearly a text; the text itself where it is one.
  ///
  /// - Parameter fallback: The name of a text without a letter or digit.
  static func identifier(from text: String, orElse fallback: String) -> String {
    guard !isIdentifier(text) else { return text }
    let words = text.split { !isInner($0) }.joined(separator: "_")
    guard let first = words.first, words.contains(where: { $0 != "_" }) else { return fallback }
    return isOuter(first) ? words : "_" + words
  }

  /// Makes a name as `identifier(from:orElse:)` does, different from names that are taken already.
  package static func identifier(from text: String, orElse fallback: String, not taken: Set<String>) -> String {
    let name = identifier(from: text, orElse: fallback)
    guard taken.contains(name) else { return name }
    // There are fewer names taken than are tried.
    return (2...taken.count + 2).lazy.map { "\(name)_\($0)" }.first { !taken.contains($0) } ?? name
  }

  package static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, isOuter(first), name != "_" else { return false }
    return name.allSatisfy(isInner)
  }

  private static let rule = "names are letters, digits and _, and begin with no digit"
  private static let reservedClasses: Set<String> = ["Object", "EmbeddedObject", "Realm", "List", "Map", "MutableSet"]

  private static func isOuter(_ character: Character) -> Bool { character.isLetter || character == "_" }
  private static func isInner(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
