/// All tables of a file.
struct Group {
  /// The tables of classes.
  private(set) var tables: [TableLayout] = []
  /// Names of the others.
  private(set) var skipped: [String] = []
  /// The table that holds the schema version.
  private(set) var metadata: TableLayout?

  private static let prefix = "class_"
  private static let topSizes: Set = [3, 5, 7, 9, 10, 11, 12]

  init(_ header: FileHeader, _ source: ByteSource) throws {
    guard header.top != 0 else { return }
    let reader = NodeReader(source: source, limit: WorkLimit(size: source.size), place: "the list of tables")
    let top = try reader.node(header.top)
    let slots = try reader.slots(top)
    guard Self.topSizes.contains(slots.count), !top.isInner else {
      throw reader.damaged("the topmost node has \(slots.count) parts", at: header.top)
    }
    let names = try reader.names(reader.node(reader.reference(slots[0], "the names of tables")))
    let tables = try reader.slots(reader.node(reader.reference(slots[1], "the list of tables")))
    let size = try reader.number(slots[2], "the size of the file")
    guard size <= source.size else {
      throw RealmFileError(
        .truncated, "\(source.path) is truncated: it has \(source.size) bytes of \(size); copy the whole file again")
    }
    guard names.count == tables.count else {
      throw reader.damaged("there are \(names.count) names for \(tables.count) tables", at: header.top)
    }
    var others: [(name: String, offset: Int)] = []
    for (name, slot) in zip(names, tables) {
      // The place of a table that was removed.
      guard case .reference(let offset) = Slot(slot) else { continue }
      if name.hasPrefix(Self.prefix) {
        let name = String(name.dropFirst(Self.prefix.count))
        self.tables.append(try TableReader(reader: reader.at(name), name: name).table(offset))
      } else {
        others.append((name, offset))
        if name == "metadata" { metadata = try TableReader(reader: reader.at(name), name: name).table(offset) }
      }
    }
    try add(others, reader)
    try checkNames(reader)
  }

  /// Takes tables over that are no classes by their names: a program that used Realm's core itself named its tables as it liked.
  private mutating func add(_ others: [(name: String, offset: Int)], _ reader: NodeReader) throws {
    let areClasses = tables.isEmpty
    for (name, offset) in others {
      if areClasses, !RealmFileClass.isRealmsOwn(table: name) {
        tables.append(try TableReader(reader: reader.at(name), name: name).table(offset))
      } else {
        skipped.append(name)
      }
    }
  }

  private func checkNames(_ reader: NodeReader) throws {
    guard Set(tables.map(\.name)).count == tables.count, Set(tables.map(\.key)).count == tables.count else {
      throw reader.damaged("two tables have one name or number")
    }
    for table in tables where Set(table.columns.map(\.name)).count != table.columns.count {
      throw reader.at(table.name).damaged("two properties have one name")
    }
  }
}
