import LarderStorage

/// The plan of a table: it becomes a class, its columns properties.
struct SQLiteTablePlan {
  var table: SQLiteTable
  var className: String
  /// In the order of the table; without those that become links.
  var properties: [Property] = []
  var links: [Link] = []
  var indexes: [IndexDeclaration] = []
  /// Lists that joins fill.
  var lists: [(name: String, target: String)] = []

  struct Property {
    var column: String
    var name: String
    var cell: SQLiteCell
    var isPrimaryKey = false
    var isIndexed = false
  }

  struct Link {
    var column: String
    var name: String
    var target: String
    /// The property of the target that the column names its objects by.
    var by: String
  }

  var keyIndex: Int? { properties.firstIndex(where: \.isPrimaryKey) }

  var declaration: ClassDeclaration {
    let names = Dictionary(
      uniqueKeysWithValues: properties.map { ($0.column, Self.column($0)) }
        + links.map { ($0.column, ColumnDeclaration(name: $0.name, type: .link, isOptional: true, target: $0.target)) })
    return ClassDeclaration(
      name: className, isEmbedded: false,
      columns: table.columns.compactMap { names[$0.name] }
        + lists.map { ColumnDeclaration(name: $0.name, type: .link, collection: .list, target: $0.target) },
      indexes: indexes)
  }

  private static func column(_ property: Property) -> ColumnDeclaration {
    ColumnDeclaration(
      name: property.name, type: property.cell.form.type, isOptional: property.cell.isOptional,
      isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed)
  }

  func property(ofColumn name: String) -> Property? { properties.first { $0.column.lowercased() == name.lowercased() } }
}

/// A table that becomes lists of links.
struct SQLiteJoinPlan {
  var table: SQLiteTable
  /// Places of the classes among the plans, the columns that name their objects, and the properties those are found by.
  var owner: (plan: Int, column: String, by: String)
  var target: (plan: Int, column: String, by: String)
  var property: String
}

/// Settles what becomes of the tables of a SQLite file.
struct SQLiteImportPlanner {
  let schema: SQLiteSchema
  let options: SQLiteImportOptions
  /// The shapes of each table's columns.
  let shapes: [String: [SQLiteColumnShape]]
  private(set) var plans: [SQLiteTablePlan] = []
  private(set) var joins: [SQLiteJoinPlan] = []
  private(set) var notices: [String] = []

  private typealias Name = SQLiteImportOptions.ColumnName

  init(_ schema: SQLiteSchema, _ options: SQLiteImportOptions, _ shapes: [String: [SQLiteColumnShape]]) {
    (self.schema, self.options, self.shapes) = (schema, options, shapes)
  }

  /// The tables that are to be read: those that were asked for.
  ///
  /// - Throws: `ImportError` for one that is not there.
  static func tables(_ schema: SQLiteSchema, _ options: SQLiteImportOptions) throws -> [SQLiteTable] {
    let known = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name.lowercased(), $0) })
    func find(_ name: String) throws -> SQLiteTable {
      if let table = known[name.lowercased()] { return table }
      let kind = schema.others.first { $0.name.lowercased() == name.lowercased() }?.kind
      let hint = Suggestion.sentence(for: name, in: schema.tables.map(\.name))
      throw ImportError(
        kind.map { "'\(name)' is a \($0) and holds no rows of its own" } ?? "there is no table '\(name)'.\(hint)")
    }
    let joined = try options.joins.map { try find($0.table).name }
    return try options.tables?.map(find).filter { !joined.contains($0.name) }
      ?? schema.tables.filter { !joined.contains($0.name) }
  }

  /// - Throws: `ImportError` where the file and what is asked for do not go together.
  mutating func plan() throws {
    try checkNames()
    let tables = try Self.tables(schema, options)
    if options.tables == nil {
      notices += schema.others.filter { $0.kind != "shadow" }.map {
        "the \($0.kind) '\($0.name)' holds no rows of its own and is left out"
      }
    }
    var taken: Set<String> = []
    for table in tables {
      let name = try className(table, taken)
      taken.insert(name)
      plans.append(SQLiteTablePlan(table: table, className: name))
    }
    for index in plans.indices { try settleColumns(index) }
    for index in plans.indices { settleLinks(index) }
    for index in plans.indices { settleIndexes(index) }
    for join in options.joins { try settle(join) }
  }

  /// Throws for columns and tables that flags name and that are not there.
  private func checkNames() throws {
    let given =
      Array(options.dates.keys) + options.types.keys + options.names.keys + Array(options.keys) + Array(options.indexed)
    for name in given {
      guard let table = schema.tables.first(where: { $0.name.lowercased() == name.table }) else {
        let hint = Suggestion.sentence(for: name.table, in: schema.tables.map(\.name))
        throw ImportError("'\(name.text)': there is no such table.\(hint)")
      }
      guard let column = name.column, table.column(column) == nil else { continue }
      let hint = Suggestion.sentence(for: column, in: table.columns.map(\.name))
      throw ImportError("the table '\(table.name)' has no column '\(column)'.\(hint)")
    }
  }

  // MARK: - Names

  private mutating func className(_ table: SQLiteTable, _ taken: Set<String>) throws -> String {
    if let given = options.names[Name(table.name)] {
      if let reason = ModelName.fault(ofClass: given) { throw ImportError(reason) }
      return given
    }
    var name = ModelName.identifier(from: table.name, orElse: "Table", not: taken)
    if ModelName.fault(ofClass: name) != nil {
      name = ModelName.identifier(from: name + "_", orElse: "Table", not: taken)
    }
    if name != table.name {
      notices.append(
        "the table \(JSONText.quote(table.name)) became the class '\(name)'; --rename gives it another name")
    }
    return name
  }

  private mutating func propertyName(
    _ column: String, _ number: Int, _ table: SQLiteTable, _ taken: Set<String>
  ) throws -> String {
    if let given = options.names[Name(table.name, column)] {
      if let reason = ModelName.fault(ofProperty: given) { throw ImportError(reason) }
      return given
    }
    let name = ModelName.identifier(from: column, orElse: "column\(number)", not: taken)
    if name != column {
      notices.append(
        "the column \(JSONText.quote("\(table.name).\(column)")) became the property '\(name)'; --rename gives it another name"
      )
    }
    return name
  }

  // MARK: - Columns

  private mutating func settleColumns(_ index: Int) throws {
    let table = plans[index].table
    let values = ValueConverter(nullMarkers: options.nullMarkers)
    // Names that are in order are not given to others.
    var taken = Set(table.columns.map(\.name).filter(ModelName.isIdentifier))
    for (place, column) in table.columns.enumerated() {
      let name = try propertyName(column.name, place + 1, table, taken.subtracting([column.name]))
      taken.insert(name)
      let shape = shapes[table.name]?[place] ?? SQLiteColumnShape(declared: column.type)
      let given = options.types[Name(table.name, column.name)]
      var form = shape.form(declared: column.type)
      if let given { form = given.type == .bool ? .bool : .plain(given.type) }
      if let date = options.dates[Name(table.name, column.name)] { form = .date(date) }
      let isOptional = given?.isOptional ?? (!column.isRequired || shape.hasNulls || !options.nullMarkers.isEmpty)
      if case .plain(.mixed) = form {
        notices.append(
          "'\(table.name).\(column.name)' holds values of several types (\(shape.mixture)), so it is a property of any type"
        )
      }
      noteDeclared(column, form, table)
      plans[index].properties.append(
        SQLiteTablePlan.Property(
          column: column.name, name: name, cell: SQLiteCell(form: form, isOptional: isOptional, values: values)))
    }
    try settleKey(index)
  }

  /// Says where values do not go with the type that was declared.
  private mutating func noteDeclared(_ column: SQLiteTable.Column, _ form: SQLiteCell.Form, _ table: SQLiteTable) {
    if column.isGenerated { notices.append("'\(table.name).\(column.name)' is generated: its values are imported") }
    switch form {
    case .date(let form) where options.dates[Name(table.name, column.name)] == nil && form != .iso:
      notices.append(
        "'\(table.name).\(column.name)' is declared as \(column.type) and read as \(form.rawValue); --date says it otherwise"
      )
    case .plain(let type) where SQLiteColumnShape.isDate(column.type):
      if options.types[Name(table.name, column.name)] == nil {
        notices.append(
          "'\(table.name).\(column.name)' is declared as \(column.type), and not all its values are dates: it is \(TypeName.name(of: type))"
        )
      }
    default: break
    }
  }

  private mutating func settleKey(_ index: Int) throws {
    let table = plans[index].table
    let asked = table.columns.filter { options.keys.contains(Name(table.name, $0.name)) }
    guard asked.count <= 1 else {
      throw ImportError("a class has one primary key; '\(table.name)' is to have \(asked.count)")
    }
    guard asked.count == 1 || table.key.count <= 1 else {
      let names = table.key.map(\.name).joined(separator: ", ")
      notices.append("the primary key of '\(table.name)' is of several columns (\(names)): the class has none")
      return
    }
    guard let column = asked.first ?? table.key.first,
      let place = plans[index].properties.firstIndex(where: { $0.column == column.name })
    else { return }
    let type = plans[index].properties[place].cell.form.type
    let hasNulls = shapes[table.name]?[place].hasNulls ?? false
    guard [.int, .string, .uuid, .objectId].contains(type), !hasNulls else {
      let reason = hasNulls ? "it holds null" : "only int, string, uuid and objectId can be one"
      guard asked.isEmpty else {
        throw ImportError("'\(table.name).\(column.name)' cannot be a primary key: \(reason)")
      }
      notices.append("'\(table.name).\(column.name)' is no primary key here: \(reason)")
      return
    }
    plans[index].properties[place].isPrimaryKey = true
    plans[index].properties[place].cell.isOptional = false
  }

  // MARK: - Links

  private mutating func settleLinks(_ index: Int) {
    let table = plans[index].table
    for key in table.foreignKeys {
      let names = key.columns.map(\.from).joined(separator: ", ")
      func keep(_ reason: String) {
        notices.append("'\(table.name).\(names)' stays what it is and becomes no link: \(reason)")
      }
      guard key.columns.count == 1, let pair = key.columns.first else {
        keep("a foreign key of several columns")
        continue
      }
      guard let (target, by) = end(of: key) else {
        keep("'\(key.table)' is not imported, or has no such key")
        continue
      }
      guard let place = plans[index].properties.firstIndex(where: { $0.column.lowercased() == pair.from.lowercased() })
      else {
        continue
      }
      let property = plans[index].properties[place]
      guard !property.isPrimaryKey, !isNamedBy(property, index) else {
        keep("objects are found by it")
        continue
      }
      guard options.types[Name(table.name, property.column)] == nil else { continue }
      plans[index].links.append(
        SQLiteTablePlan.Link(column: property.column, name: property.name, target: plans[target].className, by: by))
      plans[index].properties.remove(at: place)
    }
  }

  /// The plan and property that a foreign key leads to; nil where there is none that objects could be found by.
  private func end(of key: SQLiteTable.ForeignKey) -> (plan: Int, by: String)? {
    guard let plan = plans.firstIndex(where: { $0.table.name.lowercased() == key.table.lowercased() }) else {
      return nil
    }
    let keys = plans[plan].table.key
    guard let column = key.columns.first?.to ?? (keys.count == 1 ? keys[0].name : nil),
      let property = plans[plan].property(ofColumn: column), case .plain(let type) = property.cell.form, type != .mixed
    else { return nil }
    return (plan, property.name)
  }

  /// True if a foreign key of another table names objects by a property.
  private func isNamedBy(_ property: SQLiteTablePlan.Property, _ index: Int) -> Bool {
    let table = plans[index].table.name.lowercased()
    return schema.tables.contains { other in
      other.foreignKeys.contains {
        $0.table.lowercased() == table && $0.columns.contains { $0.to?.lowercased() == property.column.lowercased() }
      }
    }
  }

  // MARK: - Indexes

  private mutating func settleIndexes(_ index: Int) {
    let table = plans[index].table
    for name in options.indexed where name.table == table.name.lowercased() {
      markIndexed(index, name.column ?? "")
    }
    for entry in table.indexes {
      guard let columns = entry.columns else {
        notices.append(
          "the index '\(entry.name)' of '\(table.name)' is over expressions or some rows only, and is left out")
        continue
      }
      let properties = columns.compactMap { plans[index].property(ofColumn: $0) }
      // Links are found from both sides without one.
      guard properties.count == columns.count else { continue }
      guard properties.allSatisfy({ ![.mixed, .decimal128, .data].contains($0.cell.form.type) }) else {
        notices.append(
          "the index '\(entry.name)' of '\(table.name)' is over values that have no order here, and is left out")
        continue
      }
      if columns.count == 1 {
        guard !properties[0].isPrimaryKey else { continue }
        markIndexed(index, columns[0])
        guard entry.isUnique else { continue }
      }
      let declaration = IndexDeclaration(properties.map(\.name), isUnique: entry.isUnique)
      if !plans[index].indexes.contains(declaration) { plans[index].indexes.append(declaration) }
    }
  }

  private mutating func markIndexed(_ index: Int, _ column: String) {
    let place = plans[index].properties.firstIndex { $0.column.lowercased() == column.lowercased() }
    if let place, !plans[index].properties[place].isPrimaryKey { plans[index].properties[place].isIndexed = true }
  }

  // MARK: - Joins

  private mutating func settle(_ join: SQLiteImportOptions.Join) throws {
    guard let table = schema.tables.first(where: { $0.name.lowercased() == join.table.lowercased() }) else { return }
    let ends = table.foreignKeys.compactMap { key -> (plan: Int, column: String, by: String)? in
      guard key.columns.count == 1, let found = end(of: key) else { return nil }
      return (found.plan, key.columns[0].from, found.by)
    }
    let names = ends.map { [plans[$0.plan].className, plans[$0.plan].table.name] }
    guard let owner = names.firstIndex(where: { $0.contains(join.className) }) else {
      throw ImportError("--join: no foreign key of '\(table.name)' leads to '\(join.className)'")
    }
    guard ends.count == 2 else {
      throw ImportError(
        "--join: '\(table.name)' has \(ends.count) foreign keys to classes that are imported; two are needed")
    }
    if let reason = ModelName.fault(ofProperty: join.property) { throw ImportError(reason) }
    let plan = ends[owner].plan
    let others = plans[plan].properties.map(\.name) + plans[plan].links.map(\.name) + plans[plan].lists.map(\.name)
    guard !others.contains(join.property) else {
      throw ImportError("--join: '\(plans[plan].className)' has a property '\(join.property)' already")
    }
    let target = ends[1 - owner]
    plans[plan].lists.append((join.property, plans[target.plan].className))
    joins.append(SQLiteJoinPlan(table: table, owner: ends[owner], target: target, property: join.property))
    let left = table.columns.map(\.name).filter { $0 != ends[0].column && $0 != ends[1].column }
    if !left.isEmpty {
      notices.append(
        "'\(table.name)' became the list '\(plans[plan].className).\(join.property)'; its columns \(left.joined(separator: ", ")) are left out"
      )
    }
  }
}
