import LarderLMDB

/// Rebuilds classes of which no schema is left from their leaves, lists and backlinks: everything but the names and the rules.
struct RebuiltClasses {
  private let store: Store
  private let transaction: ReadTransaction

  init(_ store: Store, _ transaction: ReadTransaction) {
    self.store = store
    self.transaction = transaction
  }

  /// The classes that have values and are not in a schema, nor were removed from it.
  func missing(in record: SchemaRecord) throws -> [ClassDescriptor] {
    var known = Set(record.classes.map(\.id))
    known.formUnion(record.retired.filter { $0.column == nil }.map(\.classID))
    var names = Set(record.classes.map(\.name))
    var result: [ClassDescriptor] = []
    for id in try numbers() where id.rawValue > 0 && !known.contains(id) {
      var columns = try single(id)
      for (number, column) in try collections(id) { columns[number] = column }
      let targets = try targets(id)
      for number in columns.keys where columns[number]?.type == .link { columns[number]?.target = targets[number] }
      guard !columns.isEmpty else { continue }
      var name = "Class\(id.rawValue)"
      while !names.insert(name).inserted { name += "_" }
      result.append(
        ClassDescriptor(id: id, name: name, columns: columns.values.sorted { $0.id.rawValue < $1.id.rawValue }))
    }
    return result
  }

  /// The numbers of all classes that have leaves, elements of collections, or large values.
  private func numbers() throws -> [ClassID] {
    var result: Set<UInt16> = []
    for table in [store.tables.clusters, store.tables.collections, store.tables.large] {
      let cursor = try transaction.cursor(table, for: .examining)
      var entry = try cursor.first()
      while let found = entry, found.key.count >= 2 {
        let number = found.key.loadBigEndian(0, as: UInt16.self)
        result.insert(number)
        guard number < .max else { break }
        entry = try cursor.seek(KeyBytes(UInt64(number + 1) << 48))
      }
    }
    return result.sorted().map(ClassID.init(rawValue:))
  }

  private func column(_ number: UInt16, _ leaf: LeafView, _ type: ColumnType, _ kind: CollectionKind = .none)
    -> ColumnDescriptor
  {
    ColumnDescriptor(
      id: ColumnID(rawValue: number), name: "property\(number)", type: type, collection: kind,
      isOptional: leaf.hasNulls && type != .link)
  }

  /// Properties of single values, from the leaves of the clusters.
  private func single(_ id: ClassID) throws -> [UInt16: ColumnDescriptor] {
    let cursor = try transaction.cursor(store.tables.clusters, for: .examining)
    var result: [UInt16: ColumnDescriptor] = [:]
    var entry = try cursor.seek(KeyBytes(StoreLayout.leafKey(id, .presence, cluster: 0)))
    while let found = entry {
      let word: UInt64? = found.key.count == 8 ? found.key.loadBigEndian(0) : nil
      if let word {
        guard word >> 48 == UInt64(id.rawValue) else { break }
        let number = UInt16(truncatingIfNeeded: word)
        let isOptional = result[number]?.isOptional ?? false
        let known = StoredLeaf.read(found.value, key: word) { leaf in
          leaf.type.map { column(number, leaf, $0) }
        }
        if let known {
          result[number] = known
          if isOptional { result[number]?.isOptional = true }
        }
      }
      entry = try cursor.next()
    }
    return result
  }

  /// Lists, sets, which cannot be distinguished from lists, and maps, from the first leaf of each property.
  private func collections(_ id: ClassID) throws -> [UInt16: ColumnDescriptor] {
    let cursor = try transaction.cursor(store.tables.collections, for: .examining)
    var result: [UInt16: ColumnDescriptor] = [:]
    var entry = try cursor.seek(KeyBytes(UInt64(id.rawValue) << 48))
    while let found = entry {
      entry = try cursor.next()
      guard found.key.count == 24 else { continue }
      let word: UInt64 = found.key.loadBigEndian(0)
      guard word >> 48 == UInt64(id.rawValue) else { break }
      let number = UInt16(truncatingIfNeeded: word >> 32)
      let part = word & 0xFFFF_FFFF
      if part == ListTree.keysBit {
        result[number]?.collection = .map
      } else if part == 0, result[number] == nil {
        let seed = ListTree.seed(
          columnWord: word, object: found.key.loadBigEndian(8), chunk: found.key.loadBigEndian(16))
        if LeafView.verify(found.value, key: seed), !ListInnerView.isInner(found.value),
          let leaf = try? LeafView(found.value), let type = leaf.type
        {
          result[number] = column(number, leaf, type, .list)
        }
      }
    }
    return result
  }

  /// Returns the classes that the properties of a class link to, as the backlinks have it.
  private func targets(_ id: ClassID) throws -> [UInt16: ClassID] {
    let cursor = try transaction.cursor(store.tables.backlinks, for: .examining)
    var result: [UInt16: ClassID] = [:]
    var entry = try cursor.first()
    while let found = entry, found.key.count >= 8 {
      let word: UInt64 = found.key.loadBigEndian(0)
      if UInt16(truncatingIfNeeded: word >> 32) == id.rawValue {
        result[UInt16(truncatingIfNeeded: word >> 16)] = ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))
      }
      guard word | 0xFF < .max else { break }
      entry = try cursor.seek(KeyBytes((word | 0xFF) + 1))
    }
    return result
  }
}
