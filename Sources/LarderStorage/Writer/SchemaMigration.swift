import LarderLMDB

/// Brings a store from its schema to the declared one, within one write transaction.
///
/// `begin()` makes the new columns, so that objects can be changed; `finish()` removes what is no longer declared, gives embedded
/// objects their owners, gives objects with other primary keys than before new object keys (L-6), and builds indexes. In between the
/// transaction reads and writes objects as usual, primary keys included.
/// Nothing is kept unless the transaction commits: an error or the end of the process leaves the store as it was.
///
/// A column costs something only where its values change: neither adding nor removing a property reads the others.
package final class SchemaMigration {
  package let writer: StoreWriter
  package private(set) var plan: SchemaPlan
  /// By class and property: what objects get that existed before the property did, and in place of a nil that is no longer allowed;
  /// nil and zero without it.
  private let defaults: [String: [String: StoredValue]]
  private var adjusted: Set<ColumnPlace> = []
  /// By class: the key of the first object that is made during the migration.
  private var firstKeys: [ClassID: ObjectKey] = [:]
  /// Classes in which values changed that no record lists.
  private var touched: Set<ClassID> = []
  /// The objects that have other keys than before, once `finish()` has given them.
  package private(set) var moves = KeyMoves()
  /// Called with the name of each step that was done. For tests, which end the process there.
  package var afterStep: ((String) throws -> Void)?

  private struct ColumnPlace: Hashable {
    var classID: ClassID
    var column: ColumnID
  }

  /// - Throws: `.invalidSchema` for an unknown link target, a set of embedded objects, or an index that cannot be.
  package init(
    _ writer: StoreWriter, to declarations: [ClassDeclaration], schemaVersion: UInt64?,
    defaults: [String: [String: StoredValue]] = [:]
  ) throws {
    self.writer = writer
    self.defaults = defaults
    plan = try SchemaPlan(
      writer.schemaRecord, declarations, schemaVersion: schemaVersion, version: writer.version)
  }

  // MARK: - Beginning

  /// Makes the declared columns; old ones stay until `finish()`, out of sight.
  package func begin() throws {
    // What is known of the columns is as they were, and their leaves must be all there is of them.
    try writer.tails.foldTails()
    try writer.flush()
    try writer.closeLists()
    writer.schemaState.migrating = MigrationState()
    for entry in writer.schema.classes {
      firstKeys[entry.id] = ObjectKey(rawValue: try writer.classWriter(entry.id).nextKey)
    }
    try adopt()
  }

  private func adopt() throws {
    writer.adoptSchema(plan.transitional)
    writer.recorder.track(writer.schema.synced)
    let becoming = plan.final.classes.filter { $0.isEmbedded && !(writer.schema[$0.id]?.isEmbedded ?? true) }
    writer.schemaState.migrating?.becomingEmbedded = Set(becoming.map(\.id))
    try afterStep?("columns")
    for entry in plan.final.classes {
      for column in entry.columns { try adjust(column, entry) }
    }
  }

  /// Brings the values of a column in line with its new declaration, once.
  private func adjust(_ column: ColumnDescriptor, _ entry: ClassDescriptor) throws {
    let place = ColumnPlace(classID: entry.id, column: column.id)
    let change = plan.change(entry.id, column.id)
    // Noted also when there is nothing to change: objects that are made from here on hold what they were given.
    guard change != .kept, adjusted.insert(place).inserted, try writer.count(of: entry.id) > 0 else { return }
    let value = defaults[entry.name]?[column.name]
    switch change {
    case .kept: return
    case .widened: try writer.adjustment.materializeZeros(column, entry.id)
    case .narrowed: try writer.adjustment.replaceNulls(column, entry.id, with: substitute(for: column, in: entry.id))
    case .added, .replaced:
      guard let value, column.collection == .none, value != StoredValue.initial(column) else { return }
      try writer.adjustment.fill(column, entry.id, with: value)
    }
    touched.insert(entry.id)
    try afterStep?("values of \(entry.name).\(column.name)")
  }

  /// Returns the value of a property that is required now where it was nil.
  func substitute(for column: ColumnDescriptor, in classID: ClassID) -> StoredValue {
    let name = plan.final.classes.first { $0.id == classID }?.name
    return name.flatMap { defaults[$0]?[column.name] } ?? .zero(column.type)
  }

  /// Properties of a class that have no values yet, by their stored names.
  package func newColumns(of className: String) -> [String] {
    guard let entry = plan.final.classes.first(where: { $0.name == className }) else { return [] }
    return entry.columns.filter { [.added, .replaced].contains(plan.change(entry.id, $0.id)) }.map(\.name)
  }

  // MARK: - Between

  /// Lets properties of stored classes go on under other names, with their values; what their new names held until now goes, except in
  /// objects that were made since `begin()`.
  ///
  /// They are renamed in this order. Where no name occurs twice all of them together cost about as much as one.
  /// - Throws: `.invalidSchema`, which says which one cannot be renamed, and why (M-64); then none of them was, unless a new name occurs twice.
  package func renameColumns(_ renames: [ColumnRename]) throws {
    guard Set(renames.map { [$0.className, $0.new] }).count == renames.count else {
      for rename in renames { try renameAll([rename]) }
      return
    }
    try renameAll(renames)
  }

  package func renameColumn(onType className: String, from old: String, to new: String) throws {
    try renameColumns([ColumnRename(onType: className, from: old, to: new)])
  }

  /// Each new name occurs once.
  private func renameAll(_ renames: [ColumnRename]) throws {
    let before = columns(renames)
    try plan.renameColumns(renames)
    let now = columns(renames)
    let values = try zip(before, now).map { before, now in
      guard let (_, column) = before, let (id, _) = now else { return [(ObjectKey, ColumnAdjustment.ColumnContents)]() }
      return try writer.adjustment.newValues(of: column, id, from: firstKeys[id] ?? ObjectKey(rawValue: 0))
    }
    try readopt()
    for (place, values) in values.enumerated() {
      guard let (id, column) = now[place], column.id != before[place]?.column.id else { continue }
      for (key, value) in values { try writer.adjustment.restore(value, column, id, key) }
    }
  }

  /// Returns the columns that have the new names as things are planned.
  private func columns(_ renames: [ColumnRename]) -> [(classID: ClassID, column: ColumnDescriptor)?] {
    let classes = Dictionary(plan.final.classes.map { ($0.name, $0) }) { first, _ in first }
    return renames.map { rename in
      classes[rename.className].flatMap { entry in entry.column(named: rename.new).map { (entry.id, $0) } }
    }
  }

  /// Lets a stored class go on under another name, with its objects and the links to them.
  ///
  /// - Throws: `.invalidSchema`, which says why it cannot be, also when the transaction made objects of the new class.
  package func renameClass(_ old: String, to new: String) throws {
    if let given = writer.schema[new], try writer.count(of: given.id) > 0 {
      throw StorageError(
        .invalidSchema,
        "Cannot rename class '\(old)' to '\(new)': objects of '\(new)' were made already. Rename first.",
        className: old)
    }
    try plan.renameClass(old, to: new)
    try readopt()
  }

  private func readopt() throws {
    try writer.flush()
    try writer.closeLists()
    try adopt()
  }

  /// Deletes all objects of a class; one that is not declared goes itself. False when the store has no such class.
  ///
  /// - Throws: `.invalidSchema` when another class links to one that would go.
  package func deleteClass(_ name: String) throws -> Bool {
    let isDeclared = plan.declarations.contains { $0.name == name }
    guard let entry = writer.schema[name] else { return false }
    let origins = writer.schema.origins(of: entry.id).filter { origin, column in
      origin.id != entry.id && !SchemaPlan.isHidden(origin.name) && !SchemaPlan.isHidden(column.name)
    }
    if !isDeclared, let origin = origins.first {
      throw StorageError(
        .invalidSchema,
        "Class '\(name)' cannot be removed: '\(origin.origin.name).\(origin.column.name)' links to it. Remove that class or "
          + "property first.", className: name)
    }
    try writer.deleteAll(entry.id)
    guard !isDeclared else { return true }
    try plan.removeClass(name)
    try readopt()
    return true
  }

  // MARK: - Finishing

  /// Removes what is no longer declared, and builds what needs all values.
  ///
  /// - Throws: `.invalidSchema` for a renamed property that is not declared, and for a class that cannot become embedded;
  ///   `.duplicatePrimaryKey`.
  package func finish() throws {
    try plan.checkNames()
    try writer.flush()
    try writer.closeLists()
    let kept = plan.transitional
    let orphaned = try removeDiscarded()
    try embed(orphaned)
    try rekey()
    try writer.flush()
    try writer.closeLists()
    let unindexed = writer.schemaState.migrating?.unindexed ?? []
    writer.adoptSchema(plan.final)
    writer.recorder.track(writer.schema.synced)
    writer.schemaState.migrating = nil
    try remakeIndexes(unindexed, kept)
    try afterStep?("indexes")
    for id in touched where plan.base.classes.contains(where: { $0.id == id }) {
      writer.recorder.truncated(id)
      writer.recorder.operations?.everything(id)
    }
    for entry in plan.final.classes where entry.syncMode != .local {
      // What was local until now counts as changed entirely.
      let before = plan.base.classes.first { $0.id == entry.id }
      if let before, before.syncMode == .local { writer.recorder.operations?.everything(entry.id) }
    }
    if let old = plan.base.schemaVersion, old != plan.final.schemaVersion { writer.recorder.mark(.migration) }
  }

  /// Removes the data of columns that go. Returns the embedded classes whose objects may have lost their owners so.
  private func removeDiscarded() throws -> Set<ClassID> {
    let discarded = plan.discarded
    writer.adoptSchema(plan.trimmed)
    var orphaned: Set<ClassID> = []
    for (id, columns) in discarded.sorted(by: { $0.key < $1.key }) {
      let owner = ClassDescriptor(id: id, name: "")
      for column in columns {
        try writer.indexBuilding.removeData(of: column, in: owner)
        if let target = column.target, writer.schema[target]?.isEmbedded ?? false { orphaned.insert(target) }
        if let index = plan.base.classes.first(where: { $0.id == id })?.column(column.id), index.hasIndex {
          try writer.indexBuilding.removeIndex(of: index, in: id)
        }
        if let index = plan.base.classes.first(where: { $0.id == id })?.column(column.id), index.isFullText {
          try writer.indexBuilding.removeTextIndex(of: index.id, in: id)
        }
        try afterStep?("removal of \(column.name)")
      }
      touched.insert(id)
    }
    return orphaned
  }

  /// Gives each object of classes that become embedded one owner, outer classes first.
  private func embed(_ orphaned: Set<ClassID>) throws {
    let becoming = writer.schemaState.migrating?.becomingEmbedded ?? []
    for id in outerFirst(becoming.union(orphaned)) {
      if becoming.contains(id) {
        try writer.owners.giveOwners(id)
      } else {
        try writer.owners.deleteOwnerless(id)
      }
      touched.insert(id)
      for (origin, _) in writer.schema.origins(of: id) { touched.insert(origin.id) }
      try afterStep?("owners of \(writer.schema[id]?.name ?? "")")
    }
  }

  /// Embedded classes in an order in which each comes before those it owns; there are no cycles (M-26).
  private func outerFirst(_ classes: Set<ClassID>) -> [ClassID] {
    var result: [ClassID] = []
    var visited: Set<ClassID> = []
    func visit(_ id: ClassID) {
      guard visited.insert(id).inserted else { return }
      for (origin, _) in writer.schema.origins(of: id) where classes.contains(origin.id) { visit(origin.id) }
      result.append(id)
    }
    for id in classes.sorted() { visit(id) }
    return result
  }

  // MARK: - Primary keys

  /// Gives each object whose primary key is another than before a new object key: for what follows the log the object with the old
  /// one is deleted, and one with the new one was added. Done at the end, since the block may exchange values between objects.
  private func rekey() throws {
    var objects: [ClassID: [ObjectKey]] = [:]
    for entry in plan.final.classes {
      let keys = try rekeyed(entry)
      if !keys.isEmpty { objects[entry.id] = keys }
    }
    guard !objects.isEmpty else { return }
    moves = try writer.rekeying.rekey(
      objects, embedded: outerFirst(Set(plan.final.classes.filter(\.isEmbedded).map(\.id))))
    writer.schemaState.migrating?.unindexed.formUnion(objects.keys)
    try afterStep?("keys")
  }

  /// Objects of a class that had a primary key before and have another one now, ascending.
  ///
  /// Objects of a class that only now has primary keys, or has none any more, keep their object keys: they had no other name, or
  /// have none.
  private func rekeyed(_ entry: ClassDescriptor) throws -> [ObjectKey] {
    guard let old = plan.base.classes.first(where: { $0.id == entry.id })?.primaryKey, let new = entry.primaryKey,
      old.id != new.id || plan.change(entry.id, new.id) == .narrowed
        || writer.schemaState.migrating?.reassigned.contains(entry.id) ?? false
    else { return [] }
    let end = writer.base.nextObjectKey(of: entry.id)
    var keys: [ObjectKey] = []
    try writer.forEachKey(entry.id) { key in
      guard key < end else { return }
      let before = try writer.base.value(entry.id, old.id, key)
      if try writer.value(entry.id, new.id, key) != before { keys.append(key) }
    }
    return keys
  }

  // MARK: - Indexes

  private func remakeIndexes(_ unindexed: Set<ClassID>, _ kept: SchemaRecord) throws {
    for entry in plan.final.classes {
      let before = plan.base.classes.first { $0.id == entry.id }
      for column in entry.columns {
        let old = before?.column(column.id)
        try remakeTextIndex(column, old, entry)
        let isKept = plan.change(entry.id, column.id) == .kept && old?.hasIndex ?? false
        let isIntact =
          isKept && (!column.isPrimaryKey || (old?.isPrimaryKey ?? false && !unindexed.contains(entry.id)))
        if column.hasIndex, isIntact { continue }
        // A class that came with the migration has kept its indexes on the way; they are made again with the others.
        if let stale = old ?? (before == nil ? column : nil), stale.hasIndex {
          try writer.indexBuilding.removeIndex(of: stale, in: entry.id)
        }
        guard column.hasIndex else { continue }
        try writer.indexBuilding.buildIndex(of: column, in: entry)
        guard column.isPrimaryKey else { continue }
        try writer.classWriter(entry.id).resetPrimaryKeys()
        try writer.uniqueness.checkUnique(column, in: entry)
      }
      try remakeComposite(entry, before?.indexes ?? [], kept.classes.first { $0.id == entry.id }?.indexes ?? [])
    }
    try writer.indexBuilding.noteFeatures()
  }

  private func remakeTextIndex(
    _ column: ColumnDescriptor, _ old: ColumnDescriptor?, _ entry: ClassDescriptor
  ) throws {
    let hadIndex = old?.isFullText ?? false
    if column.isFullText, hadIndex, plan.change(entry.id, column.id) == .kept { return }
    // A class that came with the migration has kept its index on the way; it is made again with the others.
    if hadIndex || column.isFullText { try writer.indexBuilding.removeTextIndex(of: column.id, in: entry.id) }
    if column.isFullText { try writer.indexBuilding.buildTextIndex(of: column, in: entry) }
  }

  /// - Parameters:
  ///   - before: The indexes over several columns that the store had.
  ///   - kept: Those of them that were kept in step on the way.
  private func remakeComposite(
    _ entry: ClassDescriptor, _ before: [IndexDescriptor], _ kept: [IndexDescriptor]
  ) throws {
    func isKept(_ index: IndexDescriptor) -> Bool {
      kept.contains { $0.id == index.id && $0.columns == index.columns }
        && entry.indexes.contains { $0.id == index.id && $0.columns == index.columns }
    }
    for index in before where !isKept(index) { try writer.indexBuilding.removeComposite(index.id, in: entry.id) }
    let owner = try writer.classWriter(entry.id)
    for index in owner.shape.indexes {
      let known = before.first { $0.id == index.descriptor.id && $0.columns == index.descriptor.columns }
      if !isKept(index.descriptor) { try writer.indexBuilding.buildIndex(index, owner) }
      if index.descriptor.isUnique, !(known?.isUnique ?? false) || !isKept(index.descriptor) {
        // The commit looks at all objects.
        owner.unique.uncheckedIndexes.insert(index.descriptor.id)
      }
    }
  }
}
