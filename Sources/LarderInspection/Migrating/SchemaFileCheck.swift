import LarderExchange
import LarderStorage

/// Holds a schema file against the store that it is for: what it names must be there. All mistakes have their place in the file.
struct SchemaFileCheck {
  private let file: SchemaFile
  private let schema: StoreSchema
  private let declared: [String: ClassDeclaration]

  init(_ file: SchemaFile, _ schema: StoreSchema) {
    self.file = file
    self.schema = schema
    declared = Dictionary(file.classes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// - Throws: `InputFault` at the first mistake.
  func run() throws {
    for entry in file.classes { try check(entry) }
    for rule in file.renamedClasses { try checkRename(rule.old, to: rule.new) }
    for (name, rules) in Dictionary(grouping: file.renamedProperties.enumerated(), by: \.element.className)
      .sorted(by: { ($0.value.first?.offset ?? 0) < ($1.value.first?.offset ?? 0) })
    {
      try checkRenames(name, rules.map { ($0.element.old, $0.element.new) })
    }
    for rule in file.conversions {
      try require(
        declared[rule.className]?.columns.contains { $0.name == rule.property } ?? false,
        at: "convert.\(rule.className).\(rule.property)",
        "'\(rule.className).\(rule.property)' is not declared under \"classes\"."
          + Suggestion.sentence(
            for: "\(rule.className).\(rule.property)",
            in: file.classes.flatMap { entry in entry.columns.map { "\(entry.name).\($0.name)" } }))
    }
    for name in file.removedClasses where schema[name] == nil {
      throw file.fault(at: "delete.\(name)", "the store has no class '\(name)'.\(near(name, storedNames))")
    }
  }

  private var storedNames: [String] { schema.classes.map(\.name) }

  private func near(_ name: String, _ names: [String]) -> String { Suggestion.sentence(for: name, in: names) }

  private func require(_ condition: Bool, at place: String, _ message: @autoclosure () -> String) throws {
    if !condition { throw file.fault(at: place, message()) }
  }

  private func check(_ entry: ClassDeclaration) throws {
    let place = "classes.\(entry.name)"
    // A name that the store has was allowed once.
    if schema[entry.name] == nil, let reason = ModelName.fault(ofClass: entry.name) {
      throw file.fault(at: place, reason)
    }
    let stored = schema[storedName(of: entry.name)]
    for column in entry.columns {
      let place = "\(place).\(column.name)"
      if stored?.column(named: column.name) == nil, let reason = ModelName.fault(ofProperty: column.name) {
        throw file.fault(at: place, reason)
      }
      guard let target = column.target, declared[target] == nil, schema[target] == nil else { continue }
      let names = TypeName.scalarNames + ["mixed"] + declared.keys.sorted() + storedNames
      throw file.fault(at: place, "there is no type or class '\(target)'.\(near(target, names))")
    }
  }

  /// The name under which the store has a class of the file.
  private func storedName(of name: String) -> String {
    // A later rule may go on from an earlier one.
    file.renamedClasses.reversed().reduce(name) { $1.new == $0 ? $1.old : $0 }
  }

  private func checkRename(_ old: String, to new: String) throws {
    let place = "rename.\(old)"
    let isStored = schema[old] != nil || file.renamedClasses.contains { $0.new == old }
    try require(isStored, at: place, "the store has no class '\(old)' to be renamed.\(near(old, storedNames))")
    try require(
      declared[new] != nil || file.renamedClasses.contains { $0.old == new }, at: place,
      "'\(old)' becomes '\(new)', which is not declared under \"classes\".\(near(new, declared.keys.sorted()))")
  }

  /// - Parameter rules: All those of the class.
  private func checkRenames(_ className: String, _ rules: [(old: String, new: String)]) throws {
    guard let first = rules.first else { return }
    let place = "rename.\(className)"
    guard let entry = declared[className] else {
      throw file.fault(
        at: "\(place).\(first.old)",
        "'\(className)' is not declared under \"classes\": properties are renamed where the class is declared, under its new "
          + "name.\(near(className, declared.keys.sorted()))")
    }
    let stored = storedName(of: className)
    guard let known = schema[stored] else {
      throw file.fault(
        at: "\(place).\(first.old)", "the store has no class '\(stored)'.\(near(stored, storedNames))")
    }
    let (olds, news) = (Set(rules.map(\.old)), Set(rules.map(\.new)))
    let names = Set(entry.columns.map(\.name))
    for (old, new) in rules {
      try require(
        known.column(named: old) != nil || news.contains(old), at: "\(place).\(old)",
        "'\(stored)' has no property '\(old)' in the store.\(near(old, known.columns.map(\.name)))")
      try require(
        names.contains(new) || olds.contains(new), at: "\(place).\(old)",
        "'\(old)' becomes '\(new)', which '\(className)' does not declare.\(near(new, entry.columns.map(\.name)))")
    }
  }
}
