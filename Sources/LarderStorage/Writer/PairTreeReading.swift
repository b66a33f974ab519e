import LarderLMDB

/// Reading indexes and backlinks with the transaction's own changes, which are written first where they wait.
struct PairTreeReading {
  let writer: StoreWriter

  func index(_ classID: ClassID, _ column: ColumnID) throws -> (any IndexReading)? {
    guard let descriptor = writer.schema[classID]?.column(column), descriptor.hasIndex else { return nil }
    let tree = PairTreeID.index(classID, column)
    if try writer.classWriter(classID).isDirty || writer.trees.isWaiting(tree) { try writer.flush() }
    guard writer.trees.isWritten(tree) else { return try writer.base.index(classID, column) }
    return writer.store.indexView(classID, descriptor, reader: writer) { [transaction = writer.transaction] in
      try transaction.cursor($0)
    }
  }

  /// An index over several columns as this transaction sees it; nil when the class has none of that number.
  func index(_ classID: ClassID, composite id: UInt16) throws -> CompositeIndexView? {
    let owner = try writer.classWriter(classID)
    guard let index = owner.shape.indexes.first(where: { $0.descriptor.id == id }) else { return nil }
    if owner.isDirty || !writer.trees.isEmpty { try writer.flush() }
    return writer.uniqueness.compositeView(index, owner)
  }

  /// The full-text index of a column as this transaction sees it; nil when the column has none.
  func textIndex(_ classID: ClassID, _ column: ColumnID) throws -> TextIndexView? {
    let owner = try writer.classWriter(classID)
    guard let descriptor = owner.descriptor.column(column), descriptor.isFullText else { return nil }
    if owner.isDirty || !writer.trees.isEmpty { try writer.flush() }
    let isWritten =
      writer.trees.isWritten(.words(classID, column)) || writer.trees.isWritten(.lengths(classID, column))
    return writer.store.textIndexView(classID, column) { [transaction = writer.transaction, base = writer.base] table in
      if isWritten { return try transaction.cursor(table) }
      return try base.transaction.cursor(table)
    }
  }

  func backlinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    if try writer.classWriter(origin).isDirty || writer.trees.isWaiting(.backlinks(target.classID, origin, column)) {
      try writer.flush()
    }
    return try storedBacklinks(to: target, from: origin, column)
  }

  func backlinks(to target: ClassID, from origin: ClassID, _ column: ColumnID) throws -> BacklinkView? {
    if try writer.classWriter(origin).isDirty || writer.trees.isWaiting(.backlinks(target, origin, column)) {
      try writer.flush()
    }
    guard writer.trees.isWritten(.backlinks(target, origin, column)) else {
      return writer.base.schema[origin]?.column(column) == nil
        ? nil : try writer.base.backlinks(to: target, from: origin, column)
    }
    return writer.store.backlinkView(
      to: target, from: origin, column, cursor: try writer.transaction.cursor(writer.store.tables.backlinks))
  }

  /// The backlinks as they were last written.
  func storedBacklinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    let tree = PairTreeID.backlinks(target.classID, origin, column)
    guard writer.trees.isWritten(tree) else {
      return writer.base.schema[origin]?.column(column) == nil
        ? [] : try writer.base.backlinks(to: target, from: origin, column)
    }
    return try writer.store.backlinks(to: target, from: origin, column) { [transaction = writer.transaction] in
      try transaction.cursor($0)
    }
  }

  /// Asks the index as it was last written, without what waits in memory.
  func storedObject(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: StoredValue) throws -> ObjectKey? {
    let id = owner.descriptor.id
    guard writer.trees.isWritten(.index(id, column.id)) else {
      // Of a class that never had objects the index has no pairs: the first ones are made without looking.
      guard writer.base.state[id].nextKey > 0, writer.base.schema[id]?.column(column.id) != nil else { return nil }
      return try writer.base.indexView(id, column.id)?.firstKey(equalTo: value)
    }
    return try writer.store.indexView(id, column, reader: writer) { [transaction = writer.transaction] in
      try transaction.cursor($0)
    }?
    .firstKey(equalTo: value)
  }

  /// Finds the object as above for an integer, without boxing it.
  func storedObject(_ owner: ClassWriter, _ column: ColumnID, _ number: Int64) throws -> ObjectKey? {
    let id = owner.descriptor.id
    guard writer.trees.isWritten(.index(id, column)) else {
      return writer.base.schema.primaryKey(of: id)?.id == column
        ? try writer.base.object(id, column, primaryKey: number) : nil
    }
    let tree = writer.store.tree(.index(id, column), codec: .integer)
    return try PairReader(tree) { [transaction = writer.transaction, indexes = writer.store.tables.indexes] in
      try transaction.cursor(indexes)
    }
    .firstKey(equalTo: IndexValue.word(number))
  }
}

extension StoreWriter {
  /// Reads trees of pairs.
  @inline(__always)
  var pairReading: PairTreeReading { PairTreeReading(writer: self) }
}
