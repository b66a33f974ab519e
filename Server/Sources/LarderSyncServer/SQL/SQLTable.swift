/// A table: its columns, none of which may be null, the key first. The key begins with the tenant.
struct SQLTable: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    let name: String
    let type: SQLType

    init(_ name: String, _ type: SQLType) {
      self.name = name
      self.type = type
    }
  }

  let name: String
  /// The number of columns that are the key.
  let keyCount: Int
  let columns: [Column]
  /// Further indexes, as what follows their names.
  let indexes: [String: String]

  init(_ name: String, key: [Column], _ others: [Column], indexes: [String: String] = [:]) {
    self.name = name
    keyCount = key.count
    columns = key + others
    self.indexes = indexes
  }

  var columnNames: String { columns.map(\.name).joined(separator: ", ") }
  var keyNames: String { columns.prefix(keyCount).map(\.name).joined(separator: ", ") }

  static let tenant = SQLTable(
    "larder_tenant", key: [Column("tenant", .text)],
    [Column("parts", .int), Column("retention", .int), Column("created", .int)])

  static let part = SQLTable(
    "larder_part", key: [Column("tenant", .text), Column("part", .int)],
    [Column("head", .int), Column("log_floor", .int), Column("epoch", .int), Column("max_hlc", .int)])

  static let object = SQLTable(
    "larder_object",
    key: [Column("tenant", .text), Column("part", .int), Column("class", .text), Column("pk", .bytes)],
    [Column("alive", .int), Column("version", .int), Column("body", .bytes), Column("q", .json)],
    // For the removal of what is kept of deleted objects.
    indexes: ["larder_object_dead": "(tenant, part, version) WHERE alive = 0"])

  static let change = SQLTable(
    "larder_change", key: [Column("tenant", .text), Column("part", .int), Column("version", .int)],
    [
      Column("site", .bytes), Column("site_version", .int), Column("nonce", .int), Column("hlc", .int),
      Column("merged", .int), Column("delta", .bytes), Column("old_fields", .bytes),
    ],
    // For the nonces of a site's commits.
    indexes: ["larder_change_site": "(tenant, site, site_version)"])

  /// The clients of version 1 of the tables.
  private static let oldClient = SQLTable(
    "larder_client", key: [Column("tenant", .text), Column("site", .bytes)],
    [
      Column("secret_hash", .bytes), Column("session_number", .int), Column("last_site_version", .int),
      Column("last_hlc", .int), Column("position", .bytes), Column("schema_version", .int), Column("seen", .int),
    ])

  static let client = oldClient.adding(copiesThrough)
  static let copiesThrough = Column("copies_through", .int)

  /// The commits that copies of devices have sent, by their random numbers.
  static let copy = SQLTable(
    "larder_copy", key: [Column("tenant", .text), Column("nonce", .int)], [Column("site", .bytes)])

  /// The random numbers of the newest commits of each site that are no longer in the log.
  static let nonce = SQLTable(
    "larder_nonce", key: [Column("tenant", .text), Column("site", .bytes), Column("site_version", .int)],
    [Column("nonce", .int)])

  static let subscription = SQLTable(
    "larder_subscription", key: [Column("tenant", .text), Column("site", .bytes)],
    [Column("set_version", .int), Column("queries", .bytes), Column("state", .int)])

  static let document = SQLTable(
    "larder_document", key: [Column("tenant", .text), Column("kind", .text), Column("version", .int)],
    [Column("body", .bytes), Column("created", .int)])

  /// All that hold data, in the order in which they are copied.
  static let all = [tenant, part, object, change, nonce, client, copy, subscription, document]

  /// Those of version 1.
  static let first = [tenant, part, object, change, oldClient, subscription, document]

  private func adding(_ column: Column) -> SQLTable {
    SQLTable(
      name, key: Array(columns.prefix(keyCount)), columns.dropFirst(keyCount) + [column], indexes: indexes)
  }

  /// The statement that adds a column of numbers, which are 0 in the rows that are there.
  func addition(of column: Column, _ dialect: SQLDialect) -> SQLStatement {
    SQLStatement("ALTER TABLE \(name) ADD COLUMN \(column.name) \(dialect.name(of: column.type)) NOT NULL DEFAULT 0")
  }

  /// The statements that make the table and its indexes.
  func creation(_ dialect: SQLDialect) -> [SQLStatement] {
    let lines = columns.map { "\($0.name) \(dialect.name(of: $0.type)) NOT NULL" }
    let table = "CREATE TABLE \(name) (\(lines.joined(separator: ", ")), PRIMARY KEY (\(keyNames)))\(dialect.tableEnd)"
    return [SQLStatement(table)]
      + indexes.sorted { $0.key < $1.key }.map { SQLStatement("CREATE INDEX \($0.key) ON \(name) \($0.value)") }
  }
}
