import LarderLMDB

/// The pair trees and lists of a store, as seen through one transaction's reads.
extension Store {
  func tree(_ id: PairTreeID, codec: PairCodec) -> PairTree { trees.tree(id, codec: codec) }

  /// The index of a column; `cursor` opens cursors of the transaction to read.
  func indexView(
    _ classID: ClassID, _ column: ColumnDescriptor, reader: any StoreReader, list: BlockList? = nil,
    cursor: @escaping (Table) throws -> any CursorReading
  ) -> IndexView? {
    guard let codec = IndexValue.codec(for: column.type) else { return nil }
    let tree = tree(.index(classID, column.id), codec: codec)
    let pairs = PairReader(tree, verified: verifiedBlocks, list: list, mostCopies: PairBlockFormat.mostPairs) {
      [tables] in try cursor(tables.indexes)
    }
    return IndexView(pairs, type: column.type) { [unowned reader] key in
      try reader.value(classID, column.id, key)
    }
  }

  /// An index over several columns; `cursor` opens cursors of the transaction to read.
  func compositeView(
    _ classID: ClassID, _ index: CompositeIndex, reader: any StoreReader,
    cursor: @escaping (Table) throws -> any CursorReading
  ) -> CompositeIndexView {
    let tree = tree(.composite(classID, index.descriptor.id), codec: .bytes)
    let pairs = PairReader(tree, verified: verifiedBlocks, mostCopies: PairBlockFormat.mostPairs) { [tables] in
      try cursor(tables.indexes)
    }
    return CompositeIndexView(pairs, columns: index.columns) { [unowned reader] key, column in
      try reader.value(classID, column.id, key)
    }
  }

  /// The full-text index of a column; `cursor` opens cursors of the transaction to read.
  func textIndexView(
    _ classID: ClassID, _ column: ColumnID, cursor: @escaping (Table) throws -> any CursorReading
  ) -> TextIndexView {
    func reader(_ id: PairTreeID, _ codec: PairCodec) -> PairReader {
      PairReader(tree(id, codec: codec), verified: verifiedBlocks, mostCopies: PairBlockFormat.mostPairs) { [tables] in
        try cursor(tables.indexes)
      }
    }
    return TextIndexView(
      words: reader(.words(classID, column), .bytes), lengths: reader(.lengths(classID, column), .integer),
      hash: trees.hash)
  }

  func backlinks(
    to target: ObjectLink, from origin: ClassID, _ column: ColumnID, mostLinks: Int = .max,
    cursor: @escaping (Table) throws -> any CursorReading
  ) throws -> [ObjectKey] {
    let tree = PairTree.backlinks(table: tables.backlinks, target: target.classID, origin: origin, column)
    return try BacklinkView(
      PairReader(tree, verified: verifiedBlocks, mostCopies: mostLinks) { [tables] in try cursor(tables.backlinks) }
    ).keys(to: target.key)
  }

  /// The same for many targets, through one cursor.
  func backlinkView(
    to target: ClassID, from origin: ClassID, _ column: ColumnID, mostLinks: Int = .max, cursor: any CursorReading
  ) -> BacklinkView {
    let tree = PairTree.backlinks(table: tables.backlinks, target: target, origin: origin, column)
    return BacklinkView(PairReader(tree, verified: verifiedBlocks, mostCopies: mostLinks) { cursor })
  }
}

extension Store {
  /// A list, the elements of a set or the values of a map as stored; `get` reads the transaction.
  ///
  /// - Parameter limit: A root that counts more elements is damaged.
  func listView(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, schema: StoreSchema, limit: Int = .max,
    get: @escaping (Table, KeyBytes) throws -> ByteView?
  ) throws -> ListView {
    guard let descriptor = schema[classID]?.column(column) else {
      throw StorageError(.unknownProperty, "Class \(classID.rawValue) has no column \(column.rawValue).")
    }
    let tree = ListTree(table: tables.collections, classID, descriptor, key)
    return try storageErrors(path) { try ListView(tree, limit: limit, get: get) }
  }

  /// The keys of a map as stored.
  func mapKeysView(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, limit: Int = .max,
    get: @escaping (Table, KeyBytes) throws -> ByteView?
  ) throws -> ListView {
    let tree = ListTree.keys(table: tables.collections, classID, column, key)
    return try storageErrors(path) { try ListView(tree, limit: limit, get: get) }
  }

  func listEditor(
    _ id: ListID, _ column: ColumnDescriptor, transaction: WriteTransaction, isNew: Bool, limit: Int
  ) throws -> ListEditor {
    let tree =
      id.holdsKeys
      ? ListTree.keys(table: tables.collections, id.classID, id.column, id.key)
      : ListTree(table: tables.collections, id.classID, column, id.key)
    return try ListEditor(tree, isNew: isNew, limit: limit, transaction: transaction)
  }
}
