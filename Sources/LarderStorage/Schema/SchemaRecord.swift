import LarderLMDB

/// The catalog's schema record: every class with its columns, and the numbers that were retired.
///
/// Class and column numbers are never given twice (L-4): the record keeps the next free ones and the retired ones.
struct SchemaRecord: Equatable {
  /// A column or class that was removed: its number stays taken for ever.
  struct Retired: Equatable {
    var classID: ClassID
    /// Nil for a whole class.
    var column: ColumnID?
    /// Empty in a copy, and in a store that was compacted: nothing but messages needs it.
    var name: String
    var type: ColumnType?
    /// Store version of the commit that removed it.
    var version: UInt64
  }

  var schemaVersion: UInt64?
  var classes: [ClassDescriptor] = []
  var nextClassID: UInt16 = 1
  /// By class: the number the next new column gets.
  var nextColumnID: [ClassID: UInt16] = [:]
  var retired: [Retired] = []

  init() {}

  /// The same, without the names that classes and properties had which were removed.
  var withoutRetiredNames: SchemaRecord {
    var result = self
    for index in retired.indices { result.retired[index].name = "" }
    return result
  }

  func encode() -> [UInt8] {
    var record = RecordWriter()
    let hasIndexes = classes.contains { !$0.indexes.isEmpty }
    record.append(UInt8(hasIndexes ? 2 : 1))
    record.append(UInt8(schemaVersion == nil ? 0 : 1))
    record.append(schemaVersion ?? 0)
    record.append(nextClassID)
    record.append(varint: UInt64(classes.count))
    for entry in classes {
      record.append(entry.id.rawValue)
      record.append(nextColumnID[entry.id] ?? 1)
      record.append(UInt8(entry.isEmbedded ? 1 : 0))
      record.append(entry.syncMode.rawValue)
      record.append(string: entry.name)
      record.append(varint: UInt64(entry.columns.count))
      for column in entry.columns { encode(column, to: &record) }
      if hasIndexes { encode(entry.indexes, to: &record) }
    }
    record.append(varint: UInt64(retired.count))
    for entry in retired {
      record.append(entry.classID.rawValue)
      record.append(entry.column?.rawValue ?? 0)
      record.append(entry.type?.rawValue ?? 0)
      record.append(varint: entry.version)
      record.append(string: entry.name)
    }
    return record.padded()
  }

  private func encode(_ indexes: [IndexDescriptor], to record: inout RecordWriter) {
    record.append(varint: UInt64(indexes.count))
    for index in indexes {
      record.append(index.id)
      record.append(UInt8(index.isUnique ? 1 : 0))
      record.append(varint: UInt64(index.columns.count))
      for column in index.columns { record.append(column.rawValue) }
    }
  }

  /// In the byte of a property's merge kind: its values stay on this device.
  private static let localOnlyBit: UInt8 = 0x80

  private func encode(_ column: ColumnDescriptor, to record: inout RecordWriter) {
    record.append(column.id.rawValue)
    record.append(column.type.rawValue)
    record.append(column.collection.rawValue)
    let flags: UInt8 =
      (column.isOptional ? 1 : 0) | (column.isPrimaryKey ? 2 : 0) | (column.isIndexed ? 4 : 0)
      | (column.isFullText ? 8 : 0)
    record.append(flags)
    record.append(column.mergeKind.rawValue | (column.isLocalOnly ? Self.localOnlyBit : 0))
    record.append(column.target?.rawValue ?? 0)
    record.append(string: column.name)
  }

  /// Reads the record without its checksum; throws `.corrupted` when that still stands after it.
  ///
  /// - Parameter isTrusted: False takes what can be read of a damaged record, for what is saved of a store.
  init(_ view: ByteView, isTrusted: Bool = true) throws {
    var reader = RecordReader(view, name: "schema")
    let layout: UInt8 = try reader.read()
    guard layout == 1 || layout == 2 else {
      throw StorageError(.unsupportedFormat, "The schema record has an unknown layout; a newer version wrote it.")
    }
    let isVersioned = try reader.read(UInt8.self) != 0
    let version: UInt64 = try reader.read()
    schemaVersion = isVersioned ? version : nil
    nextClassID = try reader.read()
    for _ in 0..<(try reader.readVarint()) {
      let id = ClassID(rawValue: try reader.read())
      nextColumnID[id] = try reader.read()
      let isEmbedded = try reader.read(UInt8.self) != 0
      let rawMode: UInt8 = try reader.read()
      guard let mode = ClassSyncMode(rawValue: rawMode) else {
        throw StorageError(.unsupportedFormat, "The schema holds a sync mode \(rawMode); a newer version wrote it.")
      }
      let name = try reader.readString()
      var columns: [ColumnDescriptor] = []
      for _ in 0..<(try reader.readVarint()) { columns.append(try Self.decodeColumn(&reader)) }
      let indexes = layout == 1 ? [] : try Self.decodeIndexes(&reader)
      var entry = ClassDescriptor(id: id, name: name, isEmbedded: isEmbedded, columns: columns, indexes: indexes)
      entry.syncMode = mode
      classes.append(entry)
    }
    for _ in 0..<(try reader.readVarint()) {
      let id = ClassID(rawValue: try reader.read())
      let column: UInt16 = try reader.read()
      let type = ColumnType(rawValue: try reader.read())
      let version = try reader.readVarint()
      retired.append(
        Retired(
          classID: id, column: column == 0 ? nil : ColumnID(rawValue: column), name: try reader.readString(),
          type: type, version: version))
    }
    if isTrusted { try reader.finish() }
    try checkNumbers()
    if isTrusted { try checkPlaces() }
  }

  /// No class, column or index has this number or a higher one, and neither has the next one: `SchemaNumbers` gives none out.
  static let numberLimit: UInt16 = 0xFF00

  /// Throws where two classes, or two columns of a class, have one number, or one has that of the presence bits: leaves would be read
  /// as of another type than they are.
  private func checkPlaces() throws {
    func areApart(_ numbers: [UInt16]) -> Bool { Set(numbers).count == numbers.count && !numbers.contains(0) }
    guard areApart(classes.map(\.id.rawValue)), classes.allSatisfy({ areApart($0.columns.map(\.id.rawValue)) }) else {
      throw Self.impossible
    }
  }

  private static let impossible = StorageError(
    .corrupted, "The schema record names impossible numbers: the store is damaged. Take a backup.")

  /// Throws where the next class, column or index would have no number left: no store gets there, but a damaged one may say so.
  private func checkNumbers() throws {
    let limit = Self.numberLimit
    guard nextClassID < limit, nextColumnID.values.allSatisfy({ $0 < limit }),
      classes.allSatisfy({ entry in
        entry.id.rawValue < limit && entry.columns.allSatisfy { $0.id.rawValue < limit }
          && entry.indexes.allSatisfy { $0.id < limit }
      })
    else {
      throw Self.impossible
    }
  }

  private static func decodeIndexes(_ reader: inout RecordReader) throws -> [IndexDescriptor] {
    var indexes: [IndexDescriptor] = []
    for _ in 0..<(try reader.readVarint()) {
      var index = IndexDescriptor(id: try reader.read(), columns: [], isUnique: try reader.read(UInt8.self) & 1 != 0)
      for _ in 0..<(try reader.readVarint()) { index.columns.append(ColumnID(rawValue: try reader.read())) }
      indexes.append(index)
    }
    return indexes
  }

  private static func decodeColumn(_ reader: inout RecordReader) throws -> ColumnDescriptor {
    let id = ColumnID(rawValue: try reader.read())
    let rawType: UInt8 = try reader.read()
    let rawCollection: UInt8 = try reader.read()
    guard let type = ColumnType(rawValue: rawType), let collection = CollectionKind(rawValue: rawCollection) else {
      throw StorageError(.unsupportedFormat, "The schema holds a column type \(rawType); a newer version wrote it.")
    }
    let flags: UInt8 = try reader.read()
    let merging: UInt8 = try reader.read()
    guard let kind = PropertyMergeKind(rawValue: merging & ~Self.localOnlyBit) else {
      throw StorageError(.unsupportedFormat, "The schema holds a merge kind \(merging); a newer version wrote it.")
    }
    let target: UInt16 = try reader.read()
    var column = ColumnDescriptor(
      id: id, name: try reader.readString(), type: type, collection: collection, isOptional: flags & 1 != 0,
      target: target == 0 ? nil : ClassID(rawValue: target), isPrimaryKey: flags & 2 != 0,
      isIndexed: flags & 4 != 0, isFullText: flags & 8 != 0)
    column.isLocalOnly = merging & Self.localOnlyBit != 0
    column.mergeKind = kind
    return column
  }
}
