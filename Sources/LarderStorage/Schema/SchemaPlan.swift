/// The plan by which the stored schema becomes the declared one: which columns keep their numbers, and with them their values.
///
/// The plan changes nothing; `SchemaMigration` carries it out. Renames may be added while the migration runs: the plan is then made again, and
/// whatever had a number before has it again.
package struct SchemaPlan {
  /// The change of a column that a declared class has.
  package enum Change: Hashable, Sendable {
    /// Its values stay as they are.
    case kept
    /// Its values may be nil now; they stay.
    case widened
    /// Its values may not be nil any more; those that are not stay.
    case narrowed
    /// It starts without values, and no column of its name was there.
    case added
    /// It starts without values, since its type, link target or kind is another than before.
    case replaced
  }

  /// The schema before.
  let base: SchemaRecord
  package let declarations: [ClassDeclaration]
  private let schemaVersion: UInt64?
  /// Version of the store that the migration makes.
  private let version: UInt64
  /// New names of stored classes, by their stored ones.
  package internal(set) var classNames: [String: String] = [:]
  /// By new name of the class: new names of stored properties, by their stored ones.
  package internal(set) var columnNames: [String: [String: String]] = [:]
  /// Stored names of classes that go.
  package private(set) var removedClasses: Set<String> = []

  /// The schema when all is done.
  private(set) var final = SchemaRecord()
  private(set) var changes: [ClassID: [ColumnID: Change]] = [:]
  private var givenClasses: [String: ClassID] = [:]
  private var givenColumns: [ClassID: [String: ColumnDescriptor]] = [:]
  private var numbers = SchemaNumbers()
  /// The number of times that the plan was made: each time costs a pass over the schema.
  private(set) var passes = 0

  /// Throws `.invalidSchema` for an unknown link target, a set of embedded objects, or an index that cannot be.
  init(_ base: SchemaRecord, _ declarations: [ClassDeclaration], schemaVersion: UInt64?, version: UInt64) throws {
    self.base = base
    self.declarations = declarations
    self.schemaVersion = schemaVersion
    self.version = version
    try make()
  }

  /// True if nothing has to be written.
  package var isEmpty: Bool { final == base }

  /// Every difference as a step, renames first.
  package var steps: [SchemaChange] {
    let renamed = renamed()
    let schema = StoreSchema(classes: renamed.classes, schemaVersion: renamed.schemaVersion)
    let names =
      classNames.sorted { $0.key < $1.key }.map { SchemaChange.renameClass(from: $0, to: $1) }
      + columnNames.sorted { $0.key < $1.key }.flatMap { name, columns in
        columns.sorted { $0.key < $1.key }.map { .renameColumn(className: name, from: $0, to: $1) }
      }
    return names + SchemaDifference.changes(from: schema, to: declarations)
      + removedClasses.sorted().map { .removeClass($0) }
  }

  func change(_ classID: ClassID, _ column: ColumnID) -> Change { changes[classID]?[column] ?? .kept }

  /// Takes a class that is not declared out of the store.
  mutating func removeClass(_ name: String) throws {
    removedClasses.insert(name)
    try make()
  }

  // MARK: - Making the plan

  mutating func make() throws {
    passes += 1
    var record = renamed()
    changes = [:]
    if let schemaVersion { record.schemaVersion = schemaVersion }
    record.classes.removeAll { removedClasses.contains($0.name) }
    var places = Dictionary(record.classes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    // New classes first, since links to them name their numbers.
    for declaration in declarations where places[declaration.name] == nil {
      let id = try givenClasses[declaration.name] ?? numbers.give(toClass: declaration.name, from: base.nextClassID)
      givenClasses[declaration.name] = id
      places[declaration.name] = record.classes.count
      record.classes.append(ClassDescriptor(id: id, name: declaration.name, isEmbedded: declaration.isEmbedded))
      record.nextColumnID[id] = 1
    }
    for id in givenClasses.values { record.nextClassID = max(record.nextClassID, id.rawValue + 1) }
    for declaration in declarations {
      guard let index = places[declaration.name] else { continue }
      record.classes[index].isEmbedded = declaration.isEmbedded
      if let mode = declaration.syncMode { record.classes[index].syncMode = declaration.isEmbedded ? .local : mode }
    }
    let linked = places.mapValues { (id: record.classes[$0].id, isEmbedded: record.classes[$0].isEmbedded) }
    let isSyncing = declarations.contains { $0.syncMode ?? .local != .local }
    let before = StoreSchema(classes: base.classes, schemaVersion: nil)
    for declaration in declarations {
      guard let index = places[declaration.name] else { continue }
      let owner = record.classes[index]
      var next = record.nextColumnID[owner.id] ?? 1
      let columns = try declaration.columns.map { try place($0, owner, linked, &next) }
      record.nextColumnID[owner.id] = next
      record.classes[index].columns = columns + owner.undeclared(columns, isSynced: before.isSynced(owner.id))
      record.classes[index].noteSync(of: declaration, since: owner, isSyncing: isSyncing)
      record.classes[index].indexes = try indexes(of: declaration, record.classes[index])
    }
    retire(&record)
    record.classes.sort { $0.id < $1.id }
    final = record
  }

  /// The column as it will be: with its number where its values keep their meaning, else with a new one.
  ///
  /// - Parameters:
  ///   - linked: Number of each class, and whether it is embedded.
  ///   - next: The next number of a column of the class.
  private mutating func place(
    _ column: ColumnDeclaration, _ owner: ClassDescriptor, _ linked: [String: (id: ClassID, isEmbedded: Bool)],
    _ next: inout UInt16
  ) throws -> ColumnDescriptor {
    func refuse(_ text: String) -> StorageError {
      StorageError(
        .invalidSchema, "'\(owner.name).\(column.name)' \(text)", className: owner.name, property: column.name)
    }
    let linked = try column.target.map { name in
      guard let found = linked[name] else { throw refuse("links to the unknown class '\(name)'.") }
      return found
    }
    guard column.collection != .set || !(linked?.isEmbedded ?? false) else {
      throw refuse("is a set of embedded objects, which cannot be in sets.")
    }
    if let refusal = refusalOfIndex(column, owner) { throw refuse(refusal) }
    var result = ColumnDescriptor(
      id: .presence, name: column.name, type: column.type, collection: column.collection,
      isOptional: column.isOptional, target: linked?.id, isPrimaryKey: column.isPrimaryKey, isIndexed: column.isIndexed,
      isFullText: column.isFullText)
    let old = owner.column(named: column.name)
    if let old, old.type == result.type, old.collection == result.collection, old.target == result.target {
      result.id = old.id
      changes[owner.id, default: [:]][old.id] =
        old.isOptional == result.isOptional ? .kept : result.isOptional ? .widened : .narrowed
      return result
    }
    let known = givenColumns[owner.id]?[column.name]
    if let known, known.type == result.type, known.collection == result.collection, known.target == result.target {
      result.id = known.id
    } else {
      result.id = try numbers.give(toColumn: column.name, of: owner, from: next)
    }
    givenColumns[owner.id, default: [:]][column.name] = result
    next = max(next, result.id.rawValue + 1)
    changes[owner.id, default: [:]][result.id] = old == nil ? .added : .replaced
    return result
  }

  /// Returns the reason why a column cannot have the index that it is declared with; nil if it can.
  private func refusalOfIndex(_ column: ColumnDeclaration, _ owner: ClassDescriptor) -> String? {
    if column.isIndexed || column.isPrimaryKey, column.type == .decimal128 {
      return "(\(column.type)) cannot be indexed."
    }
    if column.isIndexed, column.collection != .none {
      return "is a \(column.collection), which cannot be indexed: only single values can."
    }
    if column.isPrimaryKey, owner.isEmbedded {
      return "cannot be a primary key: objects of an embedded class have none."
    }
    if column.isFullText, column.type != .string || column.collection != .none {
      return "cannot have a full-text index: only single strings can."
    }
    return nil
  }

  /// The declared indexes over several columns, those that stay with their numbers.
  private func indexes(of declaration: ClassDeclaration, _ owner: ClassDescriptor) throws -> [IndexDescriptor] {
    var next = (owner.indexes.map(\.id).max() ?? 0) + 1
    var indexes: [IndexDescriptor] = []
    for declared in declaration.indexes {
      let columns = try declared.properties.map { try column(named: $0, in: declared, owner).id }
      guard !columns.isEmpty, Set(columns).count == columns.count else {
        throw StorageError(
          .invalidSchema,
          "An index of '\(owner.name)' over (\(declared.properties.joined(separator: ", "))) names no property, or one twice.",
          className: owner.name)
      }
      guard !indexes.contains(where: { $0.columns == columns }) else { continue }
      if let old = owner.indexes.first(where: { $0.columns == columns }) {
        indexes.append(IndexDescriptor(id: old.id, columns: columns, isUnique: declared.isUnique))
      } else {
        guard next < SchemaRecord.numberLimit else {
          throw StorageError(
            .invalidSchema, "'\(owner.name)' has too many indexes over several properties.", className: owner.name)
        }
        indexes.append(IndexDescriptor(id: next, columns: columns, isUnique: declared.isUnique))
        next += 1
      }
    }
    return indexes
  }

  private func column(
    named name: String, in declared: IndexDeclaration, _ owner: ClassDescriptor
  ) throws -> ColumnDescriptor {
    let column = owner.column(named: name)
    if let column, column.collection == .none, column.type != .link, column.type.hasIndexOrder {
      return column
    }
    throw StorageError(
      .invalidSchema,
      "The index of '\(owner.name)' over (\(declared.properties.joined(separator: ", "))) cannot have '\(name)': "
        + (column.map { "\($0.type) \($0.collection == .none ? "values" : "collections")" }
          ?? "the class has no such property, and other types") + " cannot be indexed so.",
      className: owner.name, property: name)
  }

  /// Notes the numbers that are not used any more.
  private func retire(_ record: inout SchemaRecord) {
    for owner in base.classes {
      let now = record.classes.first { $0.id == owner.id }
      for column in owner.columns where now?.column(column.id) == nil {
        record.retired.append(
          SchemaRecord.Retired(
            classID: owner.id, column: column.id, name: column.name, type: column.type, version: version))
      }
      guard now == nil else { continue }
      record.retired.append(
        SchemaRecord.Retired(classID: owner.id, column: nil, name: owner.name, type: nil, version: version))
    }
  }

  // MARK: - On the way

  /// Columns whose data goes at the end, by class: of the store, and given out while renames were still unknown.
  var discarded: [ClassID: [ColumnDescriptor]] {
    var result: [ClassID: [ColumnDescriptor]] = [:]
    for owner in base.classes {
      let now = final.classes.first { $0.id == owner.id }
      result[owner.id] = owner.columns.filter { now?.column($0.id) == nil }
    }
    for (id, columns) in givenColumns {
      let now = final.classes.first { $0.id == id }
      result[id, default: []] += columns.values.filter { now?.column($0.id) == nil }.sorted { $0.id < $1.id }
    }
    return result.filter { !$0.value.isEmpty }
  }

  /// The schema while objects are being changed: what goes is still there under names that no property has, so that every change
  /// keeps lists, links and indexes of it in step, and what needs all values (new indexes, primary keys) waits.
  var transitional: SchemaRecord {
    var record = final
    let discarded = discarded
    for index in record.classes.indices {
      let id = record.classes[index].id
      guard let before = base.classes.first(where: { $0.id == id }) else { continue }
      // Objects are still shared: they get their owners at the end.
      if !before.isEmbedded { record.classes[index].isEmbedded = false }
      for place in record.classes[index].columns.indices {
        let column = record.classes[index].columns[place]
        let isKept = change(id, column.id) == .kept
        let wasIndexed = before.column(column.id)?.hasIndex ?? false
        record.classes[index].columns[place].isIndexed = isKept && wasIndexed && !column.isPrimaryKey
        record.classes[index].columns[place].isFullText = isKept && before.column(column.id)?.isFullText ?? false
      }
      record.classes[index].columns += hidden(discarded[id] ?? [], of: id)
      record.classes[index].indexes = before.indexes.filter { index in
        index.columns.allSatisfy { change(id, $0) == .kept }
      }
    }
    for gone in base.classes where !record.classes.contains(where: { $0.id == gone.id }) {
      var hiddenClass = gone
      hiddenClass.name = Self.hiddenName(UInt16.max, gone.id.rawValue)
      hiddenClass.columns = hidden(gone.columns, of: gone.id)
      record.classes.append(hiddenClass)
    }
    return record
  }

  private func hidden(_ columns: [ColumnDescriptor], of id: ClassID) -> [ColumnDescriptor] {
    let before = base.classes.first { $0.id == id }
    return columns.map { column in
      var result = column
      result.name = Self.hiddenName(0, column.id.rawValue)
      result.isPrimaryKey = false
      // A number that was given out on the way has no index yet.
      result.isIndexed = before?.column(column.id)?.hasIndex ?? false
      result.isFullText = before?.column(column.id)?.isFullText ?? false
      return result
    }
  }

  /// A name that nothing else has: it begins with a zero.
  private static func hiddenName(_ kind: UInt16, _ number: UInt16) -> String { "\0\(kind).\(number)" }

  /// Returns true if a name is that of a class or property that the migration removes.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix("\0") }

  /// The schema `transitional` without the classes, columns and indexes that are removed.
  var trimmed: SchemaRecord {
    var record = transitional
    record.classes.removeAll { entry in !final.classes.contains { $0.id == entry.id } }
    for index in record.classes.indices {
      let known = final.classes.first { $0.id == record.classes[index].id }
      record.classes[index].columns.removeAll { known?.column($0.id) == nil }
      let columns = Set(record.classes[index].columns.map(\.id))
      record.classes[index].indexes.removeAll { !$0.columns.allSatisfy(columns.contains) }
    }
    return record
  }
}
