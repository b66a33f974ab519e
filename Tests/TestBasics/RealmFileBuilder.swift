import Foundation

/// Writes `.realm` files of format 24 from columns that are given row by row: large ones for measuring, and such as no program of Realm's
/// writes.
package struct RealmFileBuilder {
  /// The kinds of columns that the builder writes; the numbers are Realm's.
  package enum Kind: Int {
    case int = 0
    case bool = 1
    case string = 2
    case mixed = 6
    case timestamp = 8
    case double = 10
    case link = 12
  }

  /// A column and how the leaf of some of its rows is written.
  package struct Column {
    package var name: String
    package var kind: Kind
    /// Realm's bits: 16 nullable, 32 list, 64 dictionary, 128 set, 1 indexed.
    package var attributes = 0
    /// For links: the place of the class in `tables`.
    package var target: Int?
    /// For dictionaries: the type of the keys.
    package var keyKind = Kind.string
    package var leaf: (Range<Int>, inout RealmNodes) -> Int

    package init(
      _ name: String, _ kind: Kind, attributes: Int = 0, target: Int? = nil, keyKind: Kind = .string,
      leaf: @escaping (Range<Int>, inout RealmNodes) -> Int
    ) {
      self.name = name
      self.kind = kind
      self.attributes = attributes
      self.target = target
      self.keyKind = keyKind
      self.leaf = leaf
    }
  }

  /// A table; classes have names that begin with `class_`.
  package struct Table {
    package var name: String
    /// 1 embedded, 2 asymmetric.
    package var flags = 0
    /// The place of the column that is the primary key.
    package var primaryKey: Int?
    package var columns: [Column]
    package var rows: Int
    /// The keys of the rows; nil: 0, 1, 2 and so on. At most 256 where they are given.
    package var keys: [Int64]?

    package init(
      _ name: String, flags: Int = 0, primaryKey: Int? = nil, rows: Int, keys: [Int64]? = nil, _ columns: [Column]
    ) {
      self.name = name
      self.flags = flags
      self.primaryKey = primaryKey
      self.columns = columns
      self.rows = rows
      self.keys = keys
    }
  }

  package var tables: [Table]
  package var schemaVersion: Int64

  package init(_ tables: [Table], schemaVersion: Int64 = 0) {
    self.tables = tables
    self.schemaVersion = schemaVersion
  }

  /// The bytes of the file.
  package func bytes() -> [UInt8] {
    var nodes = RealmNodes()
    let metadata = Table(
      "metadata", rows: 1, [Column("version", .int) { _, nodes in nodes.integers([schemaVersion]) }])
    let all = tables + [metadata]
    let names = nodes.shortStrings(all.map(\.name))
    let refs = all.indices.map { write(all[$0], number: $0, &nodes) }
    let tableRefs = nodes.references(refs)
    // The size of the file is in the node that ends it.
    let size = nodes.bytes.count + 8 + 3 * 8
    let top = nodes.integers([Int64(names), Int64(tableRefs), Int64(size) << 1 | 1], hasRefs: true, width: 64)
    var bytes = nodes.bytes
    bytes.replaceSubrange(0..<8, with: withUnsafeBytes(of: UInt64(top).littleEndian) { Array($0) })
    bytes.replaceSubrange(16..<24, with: Array("T-DB".utf8) + [24, 0, 0, 0])
    return bytes
  }

  // MARK: - Tables

  private func key(_ column: Column, leafIndex: Int) -> Int64 {
    Int64(leafIndex) | Int64(column.kind.rawValue) << 16 | Int64(column.attributes & 0xFF) << 22
      | Int64(leafIndex + 1) << 30
  }

  private func write(_ table: Table, number: Int, _ nodes: inout RealmNodes) -> Int {
    let columns = table.columns
    let types = columns.map { column in
      let isDictionary = column.attributes & 64 != 0
      return Int64(column.kind.rawValue) | (isDictionary ? Int64(column.keyKind.rawValue) << 16 : 0)
    }
    let keys = columns.indices.map { key(columns[$0], leafIndex: $0) }
    let spec = [
      nodes.integers(types), nodes.shortStrings(columns.map(\.name)),
      nodes.integers(columns.map { Int64($0.attributes) }), 0, 0, nodes.integers(keys),
    ]
    let specRef = nodes.references(spec)
    let targets = nodes.integers(columns.map { $0.target.map { Int64($0) } ?? 0x7FFF_FFFF })
    let opposites = nodes.integers(columns.map { _ in 0x7FFF_FFFF_FFFF_FFFF })
    let root = clusters(table, &nodes)
    let primaryKey = table.primaryKey.map { keys[$0] } ?? 0
    return nodes.integers(
      [
        Int64(specRef), 0, Int64(root), Int64(number) << 1 | 1, 0, Int64(columns.count) << 1 | 1, 3, Int64(targets),
        Int64(opposites), 1, 0, primaryKey << 1 | 1, Int64(table.flags) << 1 | 1, 0,
      ], hasRefs: true)
  }

  private static let leafRows = 256

  private func clusters(_ table: Table, _ nodes: inout RealmNodes) -> Int {
    func leaf(_ rows: Range<Int>) -> Int {
      let head = table.keys.map { Int64(nodes.integers(Array($0[rows]))) } ?? Int64(rows.count) << 1 | 1
      return nodes.integers([head] + table.columns.map { Int64($0.leaf(rows, &nodes)) }, hasRefs: true)
    }
    var children: [(ref: Int, rows: Int)] = []
    var next = 0
    repeat {
      let rows = next..<min(table.rows, next + Self.leafRows)
      children.append((leaf(rows), rows.count))
      next = rows.upperBound
    } while next < table.rows
    var depth: Int64 = 0
    while children.count > 1 {
      depth += 1
      children = stride(from: 0, to: children.count, by: Self.leafRows).map { first in
        let part = children[first..<min(children.count, first + Self.leafRows)]
        let rows = part.reduce(0) { $0 + $1.rows }
        let head: [Int64] = [0, depth << 1 | 1, Int64(rows) << 1 | 1]
        return (nodes.integers(head + part.map { Int64($0.ref) }, hasRefs: true, isInner: true), rows)
      }
    }
    return children[0].ref
  }
}

extension RealmFileBuilder {
  /// A class of seven properties, as the benchmarks insert them.
  package static func people(_ count: Int) -> Table {
    Table(
      "class_Person", primaryKey: 0, rows: count,
      [
        Column("id", .int) { rows, nodes in nodes.integers(rows.map { Int64($0) }) },
        Column("name", .string) { rows, nodes in nodes.strings(rows.map { "person number \($0) of them" }) },
        Column("email", .string, attributes: 16) { rows, nodes in nodes.strings(rows.map { "p\($0 % 9_999)@x.org" }) },
        Column("age", .int) { rows, nodes in nodes.integers(rows.map { Int64($0 % 97) }) },
        Column("score", .double) { rows, nodes in nodes.doubles(rows.map { Double($0) * 0.75 }) },
        Column("active", .bool) { rows, nodes in nodes.integers(rows.map { Int64($0 % 2) }) },
        Column("created", .timestamp) { rows, nodes in
          nodes.timestamps(rows.map { (1_600_000_000 + Int64($0), 500) })
        },
      ])
  }
}
