/// Indexes over several columns, and values that must be unique.
struct UniqueChecks {
  let writer: StoreWriter

  /// Checks now, instead of at the commit, that an object shares its unique values with no other.
  ///
  /// What is found are objects as they were last written out and those this was called for since; the commit checks all. Costs a
  /// look-up for each unique index of the class.
  /// - Throws: `.duplicateValue`, which names the class, the properties, the values and the other object.
  func checkUnique(_ classID: ClassID, _ key: ObjectKey) throws {
    let owner = try writer.classWriter(classID)
    for index in owner.shape.indexes where index.descriptor.isUnique {
      guard let tuple = try uniqueTuple(index, owner, key) else { continue }
      if let known = owner.unique.holders[index.descriptor.id]?[tuple],
        try holds(known, tuple, index, owner, besides: key)
      {
        throw duplicate(index, owner, key, known)
      }
      let stored = try compositeView(index, owner).keys(
        equalTo: index.columns.map { try writer.value(classID, $0.id, key) })
      for other in stored where try holds(other, tuple, index, owner, besides: key) {
        throw duplicate(index, owner, key, other)
      }
      owner.unique.holders[index.descriptor.id, default: [:]][tuple] = key
    }
  }

  private func holds(
    _ other: ObjectKey, _ tuple: [UInt8], _ index: CompositeIndex, _ owner: ClassWriter, besides key: ObjectKey
  ) throws -> Bool {
    guard other != key, try writer.contains(owner.descriptor.id, other) else { return false }
    return try uniqueTuple(index, owner, other) == tuple
  }

  /// The tuple of an object; nil when a value of it is nil, which exempts it.
  private func uniqueTuple(_ index: CompositeIndex, _ owner: ClassWriter, _ key: ObjectKey) throws -> [UInt8]? {
    let values = try index.columns.map { try writer.value(owner.descriptor.id, $0.id, key) }
    return values.contains { $0.isNull } ? nil : try IndexTuple.bytes(values, index.columns)
  }

  private func duplicate(
    _ index: CompositeIndex, _ owner: ClassWriter, _ key: ObjectKey, _ other: ObjectKey
  ) -> StorageError {
    let names = index.columns.map(\.name).joined(separator: ", ")
    let values = index.columns.map { column in
      "\(column.name) = \((try? writer.value(owner.descriptor.id, column.id, key))?.shortDescription ?? "?")"
    }.joined(separator: ", ")
    return StorageError(
      .duplicateValue,
      "'\(owner.descriptor.name)' with \(values) exists already (object \(other.rawValue)): \(names) must be unique. "
        + "Update that object, or change one of the values.", className: owner.descriptor.name, property: names,
      key: key)
  }

  /// The index as it was last written.
  func compositeView(_ index: CompositeIndex, _ owner: ClassWriter) -> CompositeIndexView {
    let id = owner.descriptor.id
    let isWritten = writer.trees.isWritten(.composite(id, index.descriptor.id))
    return writer.store.compositeView(id, index, reader: writer) {
      [transaction = writer.transaction, base = writer.base] table in
      if isWritten { return try transaction.cursor(table) }
      return try base.transaction.cursor(table)
    }
  }

  // MARK: - At the commit

  /// Checks the unique indexes of all objects that were written; everything must be flushed.
  func checkUniqueIndexes() throws {
    for owner in writer.classes.compactMap({ $0 }) {
      for index in owner.shape.indexes where index.descriptor.isUnique {
        let keys = owner.unique.uncheckedKeys[index.descriptor.id] ?? []
        if owner.unique.uncheckedIndexes.contains(index.descriptor.id) {
          try checkAllUnique(index, owner)
        } else if keys.count > 1_000, keys.count > Int(owner.count) / 16 {
          try checkAllUnique(index, owner)
        } else {
          try checkUnique(Set(keys), index, owner)
        }
      }
      owner.unique.forget()
    }
  }

  private func checkUnique(_ keys: Set<ObjectKey>, _ index: CompositeIndex, _ owner: ClassWriter) throws {
    let view = compositeView(index, owner)
    for key in keys where try writer.contains(owner.descriptor.id, key) {
      let values = try index.columns.map { try writer.value(owner.descriptor.id, $0.id, key) }
      if values.contains(where: \.isNull) { continue }
      if let other = try view.keys(equalTo: values).first(where: { $0 != key }) {
        throw duplicate(index, owner, key, other)
      }
    }
  }

  /// Looks at the blocks of the tree: nearly all tell by their headers that no value occurs twice.
  private func checkAllUnique(_ index: CompositeIndex, _ owner: ClassWriter) throws {
    let id = owner.descriptor.id
    let tree = writer.store.tree(.composite(id, index.descriptor.id), codec: .bytes)
    let reader = PairReader(tree, verified: writer.store.verifiedBlocks) { [writer] in
      try writer.transaction.cursor(writer.store.tables.indexes)
    }
    var suspects: Set<ObjectKey> = []
    var last: [UInt8] = []
    try reader.forEachBlock(descending: false) { block in
      for run in 0..<block.runs {
        let isRepeated = run == 0 && block.string(run: 0).elementsEqual(last)
        if isRepeated || block.pairs(run: run).count > 1 {
          var keys: [ObjectKey] = []
          block.appendKeys(block.pairs(run: run), to: &keys)
          suspects.formUnion(keys)
        }
        if block.runs == block.count, !isRepeated { break }
      }
      last = Array(block.string(run: block.runs - 1))
      return true
    }
    try checkUnique(suspects, index, owner)
  }

  /// Throws `.duplicatePrimaryKey` when two objects have one value.
  func checkUnique(_ column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let view = try writer.index(owner.id, column.id) else { return }
    var previous: StoredValue?
    try view.forEach(descending: false) { key in
      let value = try writer.value(owner.id, column.id, key)
      // Without an order equal values need not follow each other.
      let isRepeated = view.isOrdered ? value == previous : try view.keys(equalTo: value).count > 1
      guard !isRepeated else {
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

extension StoreWriter {
  /// Checks that unique values are.
  @inline(__always)
  var uniqueness: UniqueChecks { UniqueChecks(writer: self) }
}
