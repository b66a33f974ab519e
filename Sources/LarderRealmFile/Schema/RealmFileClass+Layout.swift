extension RealmFileClass {
  init(_ table: TableLayout, index: Int, _ indexes: [Int64: Int], _ tables: [TableLayout], _ reader: NodeReader) throws
  {
    self.index = index
    name = table.name
    isEmbedded = table.isEmbedded
    isAsymmetric = table.isAsymmetric
    primaryKey = table.columns.firstIndex { $0.key == table.primaryKey && table.primaryKey != 0 }
    let reader = reader.at(table.name)
    guard table.primaryKey == 0 || primaryKey != nil else { throw reader.damaged("its primary key is no column of it") }
    properties = try table.columns.map {
      try RealmFileProperty($0, indexes, tables, reader.at("\(table.name).\($0.name)"))
    }
  }
}

extension RealmFileProperty {
  init(_ column: ColumnLayout, _ indexes: [Int64: Int], _ tables: [TableLayout], _ reader: NodeReader) throws {
    name = column.name
    type = column.type
    collection = column.collection
    isOptional = column.isOptional
    isIndexed = column.isIndexed
    isFullText = column.isFullText
    targetIndex = column.target.flatMap { indexes[$0] }
    target = targetIndex.map { tables[$0].name }
    guard type != .link || targetIndex != nil else { throw reader.damaged("its links lead into no class") }
  }
}
