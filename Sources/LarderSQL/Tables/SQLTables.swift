import LarderStorage

/// The tables of a store: one for each class that is not embedded, one for each collection property, also of the embedded
/// objects in it.
struct SQLTables {
  let all: [SQLTable]

  init(_ schema: StoreSchema) {
    var names = SQLName()
    let classes = schema.classes.filter { !$0.isEmbedded }.sorted { $0.name < $1.name }
    let objects = classes.map { entry in
      SQLTable(
        name: names.new(entry.name), rows: .objects(entry.id),
        columns: Columns(schema).objectColumns(of: entry))
    }
    var elements: [SQLTable] = []
    for (entry, table) in zip(classes, objects) {
      var paths = CollectionPaths(schema)
      paths.add(entry, [], through: [entry.id])
      for path in paths.all {
        let name = ([table.name] + path.map(\.column.name)).joined(separator: "_")
        elements.append(
          SQLTable(
            name: names.new(name), rows: .elements(of: entry.id, path),
            columns: Columns(schema).elementColumns(of: path)))
      }
    }
    all = objects + elements
  }

  /// Makes the columns of one table.
  private struct Columns {
    let schema: StoreSchema
    var names = SQLName()
    var columns: [SQLColumn] = []

    init(_ schema: StoreSchema) { self.schema = schema }

    consuming func objectColumns(of entry: ClassDescriptor) -> [SQLColumn] {
      var made = self
      made.add(entry, prefix: "", links: [], through: [entry.id])
      // SQLite has no tables without columns.
      if made.columns.isEmpty { made.add("_key", .owner, .int) }
      return made.columns
    }

    consuming func elementColumns(of path: [SQLColumn.Step]) -> [SQLColumn] {
      var made = self
      guard let column = path.last?.column else { return [] }
      made.add("owner", .owner, .int)
      var level = 0
      for (place, step) in path.enumerated() where step.column.collection != .none {
        // Of collections around the element's own, with their names.
        let prefix = place == path.count - 1 ? "" : path[...place].map(\.column.name).joined(separator: "_") + "_"
        switch step.column.collection {
        case .map: made.add(prefix + "key", .key(level: level), .string)
        case .list: made.add(prefix + "position", .position(level: level), .int)
        case .set, .none: break
        }
        level += 1
      }
      if column.type == .link, let target = column.target.flatMap({ made.schema[$0] }), target.isEmbedded {
        made.add(target, prefix: "", links: [], through: [target.id])
      } else {
        made.add("value", .element, column.type, SQLColumn.Step(linkedBy: column, in: made.schema))
      }
      return made.columns
    }

    private mutating func add(
      _ name: String, _ content: SQLColumn.Content, _ type: ColumnType, _ linked: SQLColumn.Step? = nil
    ) {
      columns.append(SQLColumn(name: names.new(name), content: content, type: type, linked: linked))
    }

    /// The properties of a class; those of embedded objects with the property before their names, as far as no class comes again.
    private mutating func add(
      _ entry: ClassDescriptor, prefix: String, links: [SQLColumn.Step], through classes: Set<ClassID>
    ) {
      for column in entry.columns where column.collection == .none {
        let step = SQLColumn.Step(classID: entry.id, column: column)
        let target = column.type == .link ? column.target.flatMap { schema[$0] } : nil
        if let target, target.isEmbedded {
          guard !classes.contains(target.id) else { continue }
          add(target, prefix: prefix + column.name + "_", links: links + [step], through: classes.union([target.id]))
        } else {
          let linked = SQLColumn.Step(linkedBy: column, in: schema)
          add(prefix + column.name, .property(links: links, step), column.type, linked)
        }
      }
    }
  }
}

/// The collections of a class and of the embedded objects in it, each by the steps that lead there.
private struct CollectionPaths {
  let schema: StoreSchema
  private(set) var all: [[SQLColumn.Step]] = []

  init(_ schema: StoreSchema) { self.schema = schema }

  /// Adds those of one class, as far as no class comes again.
  mutating func add(_ entry: ClassDescriptor, _ path: [SQLColumn.Step], through classes: Set<ClassID>) {
    for column in entry.columns {
      let path = path + [SQLColumn.Step(classID: entry.id, column: column)]
      if column.collection != .none { all.append(path) }
      guard column.type == .link, let target = column.target.flatMap({ schema[$0] }), target.isEmbedded,
        !classes.contains(target.id)
      else { continue }
      add(target, path, through: classes.union([target.id]))
    }
  }
}
