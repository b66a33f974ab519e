/// A property of a stored class that goes on under another name.
package struct ColumnRename: Hashable, Sendable {
  package let className: String
  package let old: String
  package let new: String

  package init(onType className: String, from old: String, to new: String) {
    self.className = className
    self.old = old
    self.new = new
  }

  func refusal(_ reason: String) -> StorageError {
    StorageError(
      .invalidSchema, "Cannot rename \(className).\(old) to \(className).\(new): \(reason).", className: className,
      property: old)
  }
}

/// Names that stored classes and properties get.
extension SchemaPlan {
  /// Lets properties of stored classes go on under other names, in this order.
  ///
  /// Where no name occurs twice, however many they are, they cost one pass over the schema.
  /// - Throws: `.invalidSchema` for the first that cannot be renamed, which says why (M-64); the plan is then as before.
  package mutating func renameColumns(_ renames: [ColumnRename]) throws {
    guard !renames.isEmpty else { return }
    var next = self
    for part in areIndependent(renames) ? [renames] : renames.map({ [$0] }) {
      let stored = next.renamed()
      let classes = Dictionary(stored.classes.map { ($0.name, $0) }) { first, _ in first }
      let names = Dictionary(stored.classes.map { ($0.id, $0.name) }) { first, _ in first }
      let targets = Dictionary(declarations.map { ($0.name, $0) }) { first, _ in first }
      var wanted: [String: [String: ColumnDeclaration]] = [:]
      for name in Set(part.map(\.className)) {
        wanted[name] = targets[name].map { Dictionary($0.columns.map { ($0.name, $0) }) { first, _ in first } }
      }
      for rename in part {
        guard let owner = classes[rename.className] else {
          throw rename.refusal("the store has no class '\(rename.className)'")
        }
        guard let columns = wanted[rename.className] else {
          throw rename.refusal("'\(rename.className)' is not among the classes that are being opened")
        }
        try check(rename, owner, columns, names)
        // A name given before goes on from where it came.
        let origin = part.count > 1 ? nil : next.columnNames[rename.className]?.first { $0.value == rename.old }?.key
        next.columnNames[rename.className, default: [:]][origin ?? rename.old] = rename.new
      }
      try next.make()
    }
    self = next
  }

  /// Returns true if the order in which names are given makes no difference: none is given or left twice, or was given before.
  private func areIndependent(_ renames: [ColumnRename]) -> Bool {
    var names: [String: Set<String>] = columnNames.mapValues { Set($0.keys).union($0.values) }
    return renames.allSatisfy { rename in
      names[rename.className, default: []].insert(rename.old).inserted
        && names[rename.className, default: []].insert(rename.new).inserted
    }
  }

  private func check(
    _ rename: ColumnRename, _ owner: ClassDescriptor, _ target: [String: ColumnDeclaration], _ names: [ClassID: String]
  ) throws {
    guard let column = owner.column(named: rename.old) else {
      throw rename.refusal("the stored class has no property '\(rename.old)'")
    }
    guard target[rename.old] == nil else { throw rename.refusal("the class still has a property '\(rename.old)'") }
    guard let wanted = target[rename.new] else { return }
    let linked = column.target.flatMap { names[$0] }
    guard column.type == wanted.type, column.collection == wanted.collection, linked == wanted.target else {
      let was = ColumnDeclaration(
        name: rename.old, type: column.type, collection: column.collection, isOptional: column.isOptional,
        target: linked)
      throw rename.refusal("it is \(was.typeName) in the store and \(wanted.typeName) now")
    }
    guard wanted.isOptional || !column.isOptional else {
      throw rename.refusal("it was optional and is required now")
    }
  }

  /// Lets a stored class go on under another name, with its objects and all links to them.
  ///
  /// - Throws: `.invalidSchema`, which says why it cannot be; the plan is then as before.
  package mutating func renameClass(_ old: String, to new: String) throws {
    var next = self
    func refuse(_ reason: String) -> StorageError {
      StorageError(.invalidSchema, "Cannot rename class '\(old)' to '\(new)': \(reason).", className: old)
    }
    let stored = next.renamed()
    guard stored.classes.contains(where: { $0.name == old }) else { throw refuse("the store has no class '\(old)'") }
    guard !declarations.contains(where: { $0.name == old }) else { throw refuse("there is still a class '\(old)'") }
    guard !stored.classes.contains(where: { $0.name == new }) else {
      throw refuse("the store has a class '\(new)' already")
    }
    let origin = next.classNames.first { $0.value == old }?.key ?? old
    next.classNames[origin] = new
    if let columns = next.columnNames.removeValue(forKey: old) { next.columnNames[new] = columns }
    try next.make()
    self = next
  }

  /// Throws unless every name that was given belongs to something that is declared (M-64).
  func checkNames() throws {
    for (className, columns) in columnNames {
      let declared = Set(declarations.first { $0.name == className }?.columns.map(\.name) ?? [])
      for (old, new) in columns where !declared.contains(new) {
        throw StorageError(
          .invalidSchema, "Renamed property '\(className).\(new)' does not exist (it was '\(old)').",
          className: className, property: new)
      }
    }
    for (old, new) in classNames where !declarations.contains(where: { $0.name == new }) {
      throw StorageError(.invalidSchema, "Renamed class '\(new)' does not exist (it was '\(old)').", className: new)
    }
  }

  /// The schema before, under the new names.
  func renamed() -> SchemaRecord {
    var record = base
    for index in record.classes.indices {
      record.classes[index].name = classNames[record.classes[index].name] ?? record.classes[index].name
      guard let names = columnNames[record.classes[index].name] else { continue }
      let taken = Set(names.values)
      var columns: [ColumnDescriptor] = []
      for var column in record.classes[index].columns {
        if let name = names[column.name] {
          column.name = name
          columns.append(column)
        } else if !taken.contains(column.name) {
          // The column that had the name before is given up.
          columns.append(column)
        }
      }
      record.classes[index].columns = columns
    }
    return record
  }
}
