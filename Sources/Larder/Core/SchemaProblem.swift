/// Something that is wrong with the declaration of a class or one of its properties.
struct SchemaProblem: Hashable {
  var className: String
  var propertyName: String?
  var problem: String
  /// The remedy, as a sentence without its full stop.
  var fix: String

  var text: String {
    "Class \(className)\(propertyName.map { ", property \($0)" } ?? ""): \(problem). \(fix)."
  }

  /// One error that names all problems (E-18).
  static func error(_ problems: [SchemaProblem]) -> Realm.Error? {
    guard let first = problems.first else { return nil }
    let head = problems.count == 1 ? "Invalid schema" : "Invalid schema, \(problems.count) problems"
    return .make(
      .fail, "\(head):\n" + problems.map { "- " + $0.text }.joined(separator: "\n"), className: first.className,
      propertyName: first.propertyName)
  }
}
