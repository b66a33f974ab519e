/// Indexes over several columns, and values that must be unique.
extension StoreWriter {
  /// Checks now, instead of at the commit, that an object shares its unique values with no other.
  ///
  /// What is found are objects as they were last written out and those this was called for since; the commit checks all. Costs a
  /// look-up for each unique index of the class.
  /// - Throws: `.duplicateValue`, which names the class, the properties, the values and the other object.
  package func checkUnique(_ classID: ClassID, _ key: ObjectKey) throws {
    let owner = try classWriter(classID)
    for index in owner.indexes where index.descriptor.isUnique {
      guard let tuple = try uniqueTuple(index, owner, key) else { continue }
      if let known = owner.uniqueHolders[index.descriptor.id]?[tuple],
        try holds(known, tuple, index, owner, besides: key)
      {
        throw duplicate(index, owner, key, known)
      }
      let stored = try compositeView(index, owner).keys(equalTo: index.columns.map { try value(classID, $0.id, key) })
      for other in stored where try holds(other, tuple, index, owner, besides: key) {
        throw duplicate(index, owner, key, other)
      }
      owner.uniqueHolders[index.descriptor.id, default: [:]][tuple] = key
    }
  }

  private func holds(
    _ other: ObjectKey, _ tuple: [UInt8], _ index: CompositeIndex, _ owner: ClassWriter, besides key: ObjectKey
  ) throws -> Bool {
    guard other != key, try contains(owner.descriptor.id, other) else { return false }
    return try uniqueTuple(index, owner, other) == tuple
  }

  /// The tuple of an object; nil when a value of it is nil, which exempts it.
  private func uniqueTuple(_ index: CompositeIndex, _ owner: ClassWriter, _ key: ObjectKey) throws -> [UInt8]? {
    let values = try index.columns.map { try value(owner.descriptor.id, $0.id, key) }
    return values.contains { $0.isNull } ? nil : try IndexTuple.bytes(values, index.columns)
  }

  private func duplicate(
    _ index: CompositeIndex, _ owner: ClassWriter, _ key: ObjectKey, _ other: ObjectKey
  ) -> StorageError {
    let names = index.columns.map(\.name).joined(separator: ", ")
    let values = index.columns.map { column in
      "\(column.name) = \((try? value(owner.descriptor.id, column.id, key))?.shortDescription ?? "?")"
    }.joined(separator: ", ")
    return StorageError(
      .duplicateValue,
      "'\(owner.descriptor.name)' with \(values) exists already (object \(other.rawValue)): \(names) must be unique. "
        + "Update that object, or change one of the values.", className: owner.descriptor.name, property: names,
      key: key)
  }

  /// An index over several columns as this transaction sees it; nil when the class has none of that number.
  package func index(_ classID: ClassID, composite id: UInt16) throws -> CompositeIndexView? {
    let owner = try classWriter(classID)
    guard let index = owner.indexes.first(where: { $0.descriptor.id == id }) else { return nil }
    if owner.isDirty || !pairChanges.isEmpty { try flush() }
    return compositeView(index, owner)
  }

  /// The index as it was last written.
  private func compositeView(_ index: CompositeIndex, _ owner: ClassWriter) -> CompositeIndexView {
    let id = owner.descriptor.id
    let isWritten = writtenTrees.contains(.composite(id, index.descriptor.id))
    return store.compositeView(id, index, reader: self) { [transaction, base] table in
      if isWritten { return try transaction.cursor(table) }
      return try base.transaction.cursor(table)
    }
  }

  // MARK: - Keeping them

  /// Compares the columns of an index as stored with the columns as they are, and notes the differences.
  func noteTuples(_ owner: ClassWriter, _ index: CompositeIndex, _ differences: [ColumnDifference]) throws {
    guard let first = differences.first else { return }
    let pairs = pending(.composite(owner.descriptor.id, index.descriptor.id), .bytes)
    for slot in first.slots {
      let (was, isThere) = (first.storedPresence[slot], first.presence[slot])
      guard was || isThere, !(was && isThere && differences.allSatisfy({ $0.isUnchanged(slot) })) else { continue }
      let key = ObjectKey(rawValue: first.firstKey + UInt64(slot))
      if was {
        let values = try differences.map { try $0.storedValue(slot, key) }
        pairs.changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, -1)
      }
      if isThere {
        let values = try differences.map { try $0.currentValue(slot, key) }
        pairs.changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
        if index.descriptor.isUnique { owner.uncheckedKeys[index.descriptor.id, default: []].append(key) }
      }
    }
  }

  /// Checks the unique indexes of all objects that were written; everything must be flushed.
  func checkUniqueIndexes() throws {
    for owner in classes.compactMap({ $0 }) {
      for index in owner.indexes where index.descriptor.isUnique {
        let keys = owner.uncheckedKeys[index.descriptor.id] ?? []
        if owner.uncheckedIndexes.contains(index.descriptor.id) {
          try checkAllUnique(index, owner)
        } else if keys.count > 1_000, keys.count > Int(owner.count) / 16 {
          try checkAllUnique(index, owner)
        } else {
          try checkUnique(Set(keys), index, owner)
        }
      }
      owner.forgetUnique()
    }
  }

  private func checkUnique(_ keys: Set<ObjectKey>, _ index: CompositeIndex, _ owner: ClassWriter) throws {
    let view = compositeView(index, owner)
    for key in keys where try contains(owner.descriptor.id, key) {
      let values = try index.columns.map { try value(owner.descriptor.id, $0.id, key) }
      if values.contains(where: \.isNull) { continue }
      if let other = try view.keys(equalTo: values).first(where: { $0 != key }) {
        throw duplicate(index, owner, key, other)
      }
    }
  }

  /// Looks at the blocks of the tree: nearly all tell by their headers that no value occurs twice.
  private func checkAllUnique(_ index: CompositeIndex, _ owner: ClassWriter) throws {
    let id = owner.descriptor.id
    let tree = store.tree(.composite(id, index.descriptor.id), codec: .bytes)
    let reader = PairReader(tree, verified: store.verifiedBlocks) { [transaction, store] in
      try transaction.cursor(store.tables.indexes)
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
}
