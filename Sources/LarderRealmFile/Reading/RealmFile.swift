import Foundation

/// A `.realm` file, opened for reading: formats 10 to 24, encrypted or not.
///
/// The file is read with plain reads of bounded pieces and never written; give it a copy of a file that a program has open, since what an
/// older commit occupied is used again. Whatever the file holds, reading it ends with values or a `RealmFileError`, after work and memory
/// in proportion to its size. Safe for any number of threads.
public struct RealmFile: Sendable {
  /// The file format: 10 to 24; 0 for a file to which nothing was ever written.
  public let format: Int
  /// The schema version of the program that wrote the file; 0 when none was ever set.
  public let schemaVersion: UInt64
  /// The classes, in the file's order.
  public var classes: [RealmFileClass] { contents.classes }
  /// Names of tables that hold no objects of the program, such as `metadata`: they are not read.
  ///
  /// Classes are the tables whose names begin with `class_`, and in a file without any all that are not Realm's own.
  public let skippedTables: [String]

  let contents: FileContents

  /// Opens a file and reads its schema.
  ///
  /// - Parameters:
  ///   - fileURL: Where the file is.
  ///   - encryptionKey: The 64 bytes with which the file was encrypted; nil for a file that is not encrypted.
  /// - Throws: `RealmFileError`.
  public init(fileURL: URL, encryptionKey: Data? = nil) throws {
    let source = try FileHeader.source(InputFile(path: fileURL.path), key: encryptionKey)
    let header = try FileHeader(source)
    let group = try Group(header, source)
    format = header.format
    skippedTables = group.skipped
    let indexes = Dictionary(uniqueKeysWithValues: group.tables.enumerated().map { ($1.key, $0) })
    let context = FileContext(source: source, format: header.format, classIndexes: indexes)
    let reader = NodeReader(source: source, limit: WorkLimit(size: source.size), place: "the list of tables")
    contents = FileContents(
      context: context, tables: group.tables,
      classes: try group.tables.enumerated().map { try RealmFileClass($1, index: $0, indexes, group.tables, reader) })
    schemaVersion = try Self.schemaVersion(group.metadata, context)
  }

  private static func schemaVersion(_ table: TableLayout?, _ context: FileContext) throws -> UInt64 {
    guard let table, let column = table.columns.first(where: { $0.name == "version" && $0.type == .int }) else {
      return 0
    }
    let nodes = NodeReader(
      source: context.source, limit: WorkLimit(size: context.source.size), place: "the schema version")
    guard let leaf = try ClusterTree(root: table.root, nodes).leaves.first else { return 0 }
    let row = try ClusterLeaf(leaf, nodes)
    guard !row.keys.isEmpty else { return 0 }
    let offset = try nodes.reference(row.column(column.leafIndex), "the schema version")
    let values = try nodes.ints(nodes.node(offset), isOptional: column.isOptional, count: .exactly(row.keys.count))
    return values.first.flatMap { $0 }.map { UInt64(bitPattern: $0) } ?? 0
  }

  /// The class of that name.
  public func objectClass(_ name: String) -> RealmFileClass? { classes.first { $0.name == name } }

  /// The number of objects of a class, as the file states it; `forEachCluster` throws when there are others.
  public func objectCount(of objectClass: RealmFileClass) throws -> Int {
    try contents.tree(objectClass.index).objectCount
  }

  /// Calls with each group of neighbouring objects of a class, up to 256 as Realm makes them, ascending by key.
  ///
  /// Objects of embedded classes are among them, whether or not an object has them.
  ///
  /// - Throws: `RealmFileError`, and what `body` throws.
  public func forEachCluster(of objectClass: RealmFileClass, _ body: (RealmFileCluster) throws -> Void) throws {
    try forEachCluster(of: objectClass, contents.reader(objectClass.name), body)
  }

  func forEachCluster(of objectClass: RealmFileClass, _ reader: ValueReader, _ body: (RealmFileCluster) throws -> Void)
    throws
  {
    let tree = try contents.tree(objectClass.index)
    let (table, kinds) = (contents.tables[objectClass.index], contents.kinds[objectClass.index])
    var (count, last): (Int, Int64?) = (0, nil)
    for leaf in tree.leaves {
      let cluster = try RealmFileCluster(leaf, table, kinds, reader)
      if let last, let first = cluster.keys.first, UInt64(bitPattern: last) >= UInt64(bitPattern: first) {
        throw reader.nodes.damaged("keys of objects do not ascend", at: leaf.offset)
      }
      last = cluster.keys.last ?? last
      count += cluster.keys.count
      if !cluster.keys.isEmpty { try body(cluster) }
    }
    guard count == tree.objectCount else {
      throw reader.nodes.damaged("there are \(count) objects where the file says \(tree.objectCount)")
    }
  }

  /// The object with a key; nil when there is none.
  ///
  /// Sixteen groups of neighbouring objects of each class are kept with the columns that were read of them, so that look-ups of keys near
  /// those of the calls before cost no reading.
  public func object(of objectClass: RealmFileClass, key: Int64) throws -> RealmFileObject? {
    guard let cluster = try contents.cluster(objectClass.index, of: key) else { return nil }
    return cluster.row(of: key).map { RealmFileObject(cluster: cluster, row: $0) }
  }
}
