/// The columns of a class by what a write transaction does with them.
struct ClassShape {
  /// By column number.
  let columns: [ColumnDescriptor?]
  /// Columns other than the primary key that keep an index, and to-one links and mixed values (which keep backlinks).
  let tracked: [ColumnDescriptor]
  /// Indexes over several columns.
  let indexes: [CompositeIndex]
  let keyColumn: ColumnDescriptor?
  /// The column of a required integer primary key: looked at for each row, so without a descriptor to copy.
  let integerKey: ColumnID?
  let byteColumns: [ColumnDescriptor]
  /// Lists, sets and maps.
  let collectionColumns: [ColumnDescriptor]
  /// Columns elsewhere that may link to objects of this class.
  let incoming: [(origin: ClassID, column: ColumnDescriptor)]
  /// To-one links, lists and maps to embedded classes.
  let owning: [ColumnDescriptor]

  init(_ descriptor: ClassDescriptor, _ schema: StoreSchema) {
    let size = Int(descriptor.columns.map(\.id.rawValue).max() ?? 0) + 1
    var columns = [ColumnDescriptor?](repeating: nil, count: size)
    for column in descriptor.columns { columns[Int(column.id.rawValue)] = column }
    self.columns = columns
    keyColumn = descriptor.primaryKey
    integerKey = keyColumn.flatMap { $0.type == .int && !$0.isOptional ? $0.id : nil }
    let single = descriptor.columns.filter { $0.collection == .none }
    tracked = single.filter {
      ($0.hasIndex && !$0.isPrimaryKey) || $0.isFullText || $0.type == .link || $0.type == .mixed
    }
    indexes = descriptor.indexes.map { CompositeIndex($0, descriptor) }
    byteColumns = single.filter { $0.type.holdsBytes }
    collectionColumns = descriptor.columns.filter { $0.collection != .none }
    incoming = schema.incoming(to: descriptor).map { ($0.origin.id, $0.column) }
    owning = descriptor.columns.filter { column in column.target.flatMap { schema[$0] }?.isEmbedded ?? false }
  }
}
