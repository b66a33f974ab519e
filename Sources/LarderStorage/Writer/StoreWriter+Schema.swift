import LarderLMDB

/// Changing the schema.
extension StoreWriter {
  /// Makes the stored schema fit the declared classes; classes that are not declared stay as they are (M-35).
  ///
  /// New columns read nil or zero and cost nothing; removed ones give their space back; changed ones start anew, except
  /// that a required column which becomes optional keeps its values (M-42). Numbers are never reused (L-4).
  /// - Throws: `.invalidSchema` for an unknown link target, `.duplicatePrimaryKey` when a new primary key has duplicates.
  package func apply(_ declarations: [ClassDeclaration], schemaVersion: UInt64?) throws {
    var record = schemaRecord
    if let schemaVersion { record.schemaVersion = schemaVersion }
    let steps = SchemaDifference.changes(from: schema, to: declarations)
    // New classes first, since links to them name their numbers.
    for case .addClass(let name) in steps {
      let id = ClassID(rawValue: record.nextClassID)
      record.nextClassID += 1
      let isEmbedded = declarations.first { $0.name == name }?.isEmbedded ?? false
      record.classes.append(ClassDescriptor(id: id, name: name, isEmbedded: isEmbedded))
      record.nextColumnID[id] = 1
    }
    for declaration in declarations {
      guard let index = record.classes.firstIndex(where: { $0.name == declaration.name }) else { continue }
      record.classes[index].isEmbedded = declaration.isEmbedded
      for column in declaration.columns { try place(column, in: index, of: &record) }
      try retire(declaration, index, &record)
      try placeIndexes(declaration, index, &record)
    }
    guard record != schemaRecord else { return }
    let previous = schema
    try flush()
    // An open list has its column as it was.
    try closeLists()
    adoptSchema(record)
    try follow(steps, previous)
  }

  /// Adds a column or changes it, keeping its number where its values keep their meaning.
  private func place(_ column: ColumnDeclaration, in index: Int, of record: inout SchemaRecord) throws {
    let owner = record.classes[index]
    let target = try column.target.map { name in
      guard let found = record.classes.first(where: { $0.name == name }) else {
        throw StorageError(
          .invalidSchema, "'\(owner.name).\(column.name)' links to the unknown class '\(name)'.",
          className: owner.name, property: column.name)
      }
      return found.id
    }
    let isEmbedded = target.map { id in record.classes.contains { $0.id == id && $0.isEmbedded } } ?? false
    guard column.collection != .set || !isEmbedded else {
      throw StorageError(
        .invalidSchema, "'\(owner.name).\(column.name)' is a set of embedded objects, which cannot be in sets.",
        className: owner.name, property: column.name)
    }
    let isOptional = column.isOptional
    if let place = owner.columns.firstIndex(where: { $0.name == column.name }) {
      let old = owner.columns[place]
      let widens = !old.isOptional && isOptional
      if old.type == column.type, old.collection == column.collection, old.target == target,
        old.isOptional == isOptional || widens
      {
        record.classes[index].columns[place].isOptional = isOptional
        record.classes[index].columns[place].isPrimaryKey = column.isPrimaryKey
        record.classes[index].columns[place].isIndexed = column.isIndexed
        return
      }
      retire(old, of: owner, &record)
      record.classes[index].columns.remove(at: place)
    }
    let number = record.nextColumnID[owner.id] ?? 1
    record.nextColumnID[owner.id] = number + 1
    record.classes[index].columns.append(
      ColumnDescriptor(
        id: ColumnID(rawValue: number), name: column.name, type: column.type, collection: column.collection,
        isOptional: isOptional, target: target, isPrimaryKey: column.isPrimaryKey, isIndexed: column.isIndexed))
  }

  /// Takes over the declared indexes over several columns, those that stay with their numbers.
  private func placeIndexes(_ declaration: ClassDeclaration, _ index: Int, _ record: inout SchemaRecord) throws {
    let owner = record.classes[index]
    var next = (owner.indexes.map(\.id).max() ?? 0) + 1
    var indexes: [IndexDescriptor] = []
    for declared in declaration.indexes {
      let columns = try declared.properties.map { name in
        guard let column = owner.column(named: name), column.collection == .none, column.type != .link,
          IndexValue.codec(for: column.type) != nil
        else {
          throw StorageError(
            .invalidSchema,
            "The index of '\(owner.name)' over (\(declared.properties.joined(separator: ", "))) cannot have '\(name)': "
              + (owner.column(named: name).map { "\($0.type) \($0.collection == .none ? "values" : "collections")" }
                ?? "the class has no such property, and other types") + " cannot be indexed so.",
            className: owner.name, property: name)
        }
        return column.id
      }
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
        indexes.append(IndexDescriptor(id: next, columns: columns, isUnique: declared.isUnique))
        next += 1
      }
    }
    record.classes[index].indexes = indexes
  }

  /// Builds and removes trees of indexes over several columns.
  private func followIndexes(_ old: [IndexDescriptor], _ entry: ClassDescriptor) throws {
    let owner = try classWriter(entry.id)
    for gone in old where !entry.indexes.contains(where: { $0.id == gone.id && $0.columns == gone.columns }) {
      let tree = PairTreeID.composite(entry.id, gone.id)
      try store.tree(tree, codec: .bytes).removeAll(in: transaction)
      writtenTrees.insert(tree)
    }
    for index in owner.indexes {
      let known = old.first { $0.id == index.descriptor.id && $0.columns == index.descriptor.columns }
      if known == nil { try buildIndex(index, owner) }
      if index.descriptor.isUnique, !(known?.isUnique ?? false) {
        // A migration may still put the values right.
        owner.uncheckedIndexes.insert(index.descriptor.id)
      }
    }
  }

  private func buildIndex(_ index: CompositeIndex, _ owner: ClassWriter) throws {
    let tree = PairTreeID.composite(owner.descriptor.id, index.descriptor.id)
    var changes = PairChanges(codec: .bytes)
    let id = owner.descriptor.id
    for number in 0..<(try clusterCount(of: id)) {
      guard let presence = try presence(id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        let values = try index.columns.map { try value(id, $0.id, key) }
        changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
      }
    }
    try store.tree(tree, codec: .bytes).apply(&changes, in: transaction)
    writtenTrees.insert(tree)
  }

  private func retire(_ declaration: ClassDeclaration, _ index: Int, _ record: inout SchemaRecord) throws {
    let owner = record.classes[index]
    for old in owner.columns where !declaration.columns.contains(where: { $0.name == old.name }) {
      retire(old, of: owner, &record)
    }
    record.classes[index].columns = declaration.columns.compactMap { owner.column(named: $0.name) }
  }

  private func retire(_ column: ColumnDescriptor, of owner: ClassDescriptor, _ record: inout SchemaRecord) {
    record.retired.append(
      SchemaRecord.Retired(
        classID: owner.id, column: column.id, name: column.name, type: column.type, version: version))
  }

  // MARK: - Data

  /// Brings leaves and trees in line with the schema that was just adopted.
  private func follow(_ steps: [SchemaChange], _ previous: StoreSchema) throws {
    for old in previous.classes {
      guard let new = schema[old.id] else { continue }
      for column in old.columns {
        let now = new.column(column.id)
        if now == nil { try removeData(of: column, in: old) }
        if column.hasIndex, !(now?.hasIndex ?? false), let codec = IndexValue.codec(for: column.type) {
          try store.tree(.index(old.id, column.id), codec: codec).removeAll(in: transaction)
        }
        if let now, now.hasIndex, !column.hasIndex { try buildIndex(of: now, in: new) }
        if let now, now.isPrimaryKey { try checkUnique(now, in: new) }
      }
      try followIndexes(old.indexes, new)
      for column in new.columns where column.hasIndex && old.column(column.id) == nil {
        try buildIndex(of: column, in: new)
        if column.isPrimaryKey { try checkUnique(column, in: new) }
      }
    }
  }

  private func removeData(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    for number in 0..<(try clusterCount(of: owner.id)) {
      let word = StoreLayout.leafKey(owner.id, column.id, cluster: number)
      try transaction.delete(store.tables.clusters, KeyBytes(word))
    }
    lastLeafWord = try transaction.cursor(store.tables.clusters).last()?.key.loadBigEndian(0)
    for table in [store.tables.large, store.tables.collections] {
      let first = KeyBytes(StoreLayout.columnWord(owner.id, column.id))
      let prefix = StoreLayout.columnWord(owner.id, column.id) >> 32
      while let entry = try transaction.cursor(table).seek(first),
        entry.key.loadBigEndian(0, as: UInt64.self) >> 32 == prefix
      {
        try transaction.delete(table, KeyBytes(bytes: entry.key.bytes))
      }
    }
    for target in backlinkTargets(of: column) {
      try store.tree(.backlinks(target, owner.id, column.id), codec: .integer).removeAll(in: transaction)
    }
  }

  /// Classes whose objects a column may link to.
  private func backlinkTargets(of column: ColumnDescriptor) -> [ClassID] {
    column.type == .mixed ? schema.classes.filter { !$0.isEmbedded }.map(\.id) : column.target.map { [$0] } ?? []
  }

  private func buildIndex(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let codec = IndexValue.codec(for: column.type) else {
      throw StorageError(
        .invalidSchema, "'\(owner.name).\(column.name)' (\(column.type)) cannot be indexed.", className: owner.name,
        property: column.name)
    }
    var changes = PairChanges(codec: codec)
    for number in 0..<(try clusterCount(of: owner.id)) {
      guard let presence = try presence(owner.id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        if let value = IndexValue(try value(owner.id, column.id, key), type: column.type) { changes.add(value, key, 1) }
      }
    }
    let tree = PairTreeID.index(owner.id, column.id)
    try store.tree(tree, codec: codec).apply(&changes, in: transaction)
    writtenTrees.insert(tree)
  }

  private func checkUnique(_ column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let view = try index(owner.id, column.id) else { return }
    var previous: StoredValue?
    try view.forEach(descending: false) { key in
      let value = try self.value(owner.id, column.id, key)
      guard value != previous else {
        throw StorageError(
          .duplicatePrimaryKey,
          "Primary key property '\(owner.name).\(column.name)' has duplicate values (\(value.shortDescription)). "
            + "Nothing was changed.", className: owner.name, property: column.name, key: key)
      }
      previous = value
      return true
    }
  }
}
