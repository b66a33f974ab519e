import Synchronization

/// Every statement that the server runs on its tables, for one dialect. No other file makes SQL for them.
///
/// Each statement but the list of tenants names the tenant. Lists of values come in a few lengths, so that a connection prepares few
/// statements: longer lists are cut, and lists for looking up are filled up with their last value.
final class SQLStatements: Sendable {
  let dialect: SQLDialect
  private let made = Mutex<[Form: SQLStatement]>([:])

  init(_ dialect: SQLDialect) { self.dialect = dialect }

  /// What a statement with a list of rows is for.
  private enum Purpose: Hashable {
    case insert, upsert
  }

  private struct Form: Hashable {
    let table: String
    let purpose: Purpose
    let count: Int
  }

  /// The lengths that lists have.
  static let lengths = [128, 64, 32, 16, 8, 4, 2, 1]

  // MARK: - Writing rows

  /// Commands that add rows, none of which may be there.
  func insert(_ rows: [[SQLValue]], into table: SQLTable) -> [SQLCommand] { write(rows, table, .insert) }

  /// Commands that add rows or replace those of the same keys. No key may be there twice.
  func upsert(_ rows: [[SQLValue]], into table: SQLTable) -> [SQLCommand] { write(rows, table, .upsert) }

  private func write(_ rows: [[SQLValue]], _ table: SQLTable, _ purpose: Purpose) -> [SQLCommand] {
    var result: [SQLCommand] = []
    var start = 0
    while start < rows.count {
      let count = SQLStatements.lengths.first { $0 <= rows.count - start } ?? 1
      let statement = made.withLock { made in
        let form = Form(table: table.name, purpose: purpose, count: count)
        if let known = made[form] { return known }
        let statement = SQLStatements.writing(count, table, purpose, dialect)
        made[form] = statement
        return statement
      }
      result.append(SQLCommand(statement: statement, values: rows[start..<start + count].flatMap { $0 }))
      start += count
    }
    return result
  }

  private static func writing(_ count: Int, _ table: SQLTable, _ purpose: Purpose, _ dialect: SQLDialect)
    -> SQLStatement
  {
    let types = (0..<count).flatMap { _ in table.columns.map(\.type) }
    let width = table.columns.count
    let rows = (0..<count).map { row in
      let cells = table.columns.indices.map { dialect.parameter(row * width + $0 + 1, table.columns[$0].type) }
      return "(\(cells.joined(separator: ", ")))"
    }
    var text = "INSERT INTO \(table.name) (\(table.columnNames)) VALUES \(rows.joined(separator: ", "))"
    if purpose == .upsert {
      let sets = table.columns.dropFirst(table.keyCount).map { "\($0.name) = excluded.\($0.name)" }
      text += " ON CONFLICT (\(table.keyNames)) DO UPDATE SET \(sets.joined(separator: ", "))"
    }
    return SQLStatement(text, types)
  }

  // MARK: - Tenants and parts

  func tenant(_ tenant: TenantID) -> SQLCommand { select(.tenant, tenant).command }

  func lockTenant(_ tenant: TenantID) -> SQLCommand {
    var text = select(.tenant, tenant)
    text += dialect.forUpdate
    return text.command
  }

  func tenants(after name: String, limit: Int) -> SQLCommand {
    var text = SQLText(dialect, "SELECT \(SQLTable.tenant.columnNames) FROM larder_tenant WHERE tenant > ")
    text.add(.text(name), .text)
    text += " ORDER BY tenant LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  func lockPart(_ tenant: TenantID, _ part: PartID) -> SQLCommand {
    var text = select(.part, tenant, part)
    text += dialect.forUpdate
    return text.command
  }

  func parts(of tenant: TenantID) -> SQLCommand {
    var text = select(.part, tenant)
    text += " ORDER BY part"
    return text.command
  }

  func raiseEpoch(of tenant: TenantID) -> SQLCommand {
    var text = SQLText(dialect, "UPDATE larder_part SET epoch = epoch + 1 WHERE tenant = ")
    text.add(.text(tenant.name), .text)
    return text.command
  }

  /// The head rows of all parts of several tenants.
  func heads(of tenants: [TenantID]) -> [SQLCommand] {
    lookUp(.part, tenants.map { .text($0.name) }, .text) { text, list in
      text += "tenant IN "
      list(&text)
    }
  }

  // MARK: - Objects

  /// A list of keys for each class: pairs of class and key would be looked up by reading all objects of the tenant, since PostgreSQL's
  /// planner uses the index for lists of single values only.
  func objects(_ tenant: TenantID, _ part: PartID, _ keys: [ObjectKey]) -> [SQLCommand] {
    let classes = Dictionary(grouping: keys, by: \.className).sorted { $0.key < $1.key }
    return classes.flatMap { name, keys in
      lookUp(.object, columns: "class, pk, alive, version, body", keys.map { .bytes($0.primaryKey) }, .bytes) {
        text, list in
        SQLStatements.scope(tenant, part, &text)
        text += " AND class = "
        text.add(.text(name), .text)
        text += " AND pk IN "
        list(&text)
      }
    }
  }

  func objectPage(_ tenant: TenantID, _ part: PartID, _ page: ObjectPageRequest) -> SQLCommand {
    var text = SQLText(dialect, "SELECT class, pk, alive, version, body FROM larder_object WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND class = "
    text.add(.text(page.className), .text)
    if let after = page.after {
      text += " AND pk > "
      text.add(.bytes(after), .bytes)
    }
    if !page.includesDeleted { text += " AND alive = 1" }
    SQLFilter.append(page.filter, to: &text)
    text += " ORDER BY pk LIMIT "
    text.add(.int(Int64(page.limit)), .int)
    return text.command
  }

  func removeDeadObjects(_ tenant: TenantID, _ part: PartID, upTo floor: Int64) -> SQLCommand {
    var text = SQLText(dialect, "DELETE FROM larder_object WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND alive = 0 AND version <= "
    text.add(.int(floor), .int)
    return text.command
  }

  // MARK: - Changes

  func changes(_ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int) -> SQLCommand {
    var text = select(.change, tenant, part)
    text += " AND version > "
    text.add(.int(version), .int)
    text += " ORDER BY version LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  /// The version of the first change that was merged at some time or later.
  func firstChange(_ tenant: TenantID, _ part: PartID, mergedFrom time: Int64) -> SQLCommand {
    var text = SQLText(dialect, "SELECT version FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND merged >= "
    text.add(.int(time), .int)
    text += " ORDER BY version LIMIT 1"
    return text.command
  }

  func removeChanges(_ tenant: TenantID, _ part: PartID, upTo version: Int64) -> SQLCommand {
    var text = SQLText(dialect, "DELETE FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND version <= "
    text.add(.int(version), .int)
    return text.command
  }

  func nonces(_ tenant: TenantID, _ site: SiteKey, after siteVersion: Int64, limit: Int) -> SQLCommand {
    var text = SQLText(dialect, "SELECT DISTINCT site_version, nonce FROM larder_change WHERE tenant = ")
    text.add(.text(tenant.name), .text)
    text += " AND site = "
    text.add(.bytes(site.bytes), .bytes)
    text += " AND site_version > "
    text.add(.int(siteVersion), .int)
    text += " ORDER BY site_version LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  // MARK: - Sites and documents

  func client(_ tenant: TenantID, _ site: SiteKey) -> SQLCommand { select(.client, tenant, site).command }

  /// Locks rows in the order of sites, so that two transactions do not wait for each other.
  func lockClients(_ tenant: TenantID, _ sites: [SiteKey]) -> [SQLCommand] {
    lookUp(.client, sites.map { .bytes($0.bytes) }, .bytes) { text, list in
      text += "tenant = "
      text.add(.text(tenant.name), .text)
      text += " AND site IN "
      list(&text)
      text += " ORDER BY site\(text.dialect.forUpdate)"
    }
  }

  func removeClient(_ tenant: TenantID, _ site: SiteKey) -> [SQLCommand] {
    ["larder_subscription", "larder_client"].map { table in
      var text = SQLText(dialect, "DELETE FROM \(table) WHERE tenant = ")
      text.add(.text(tenant.name), .text)
      text += " AND site = "
      text.add(.bytes(site.bytes), .bytes)
      return text.command
    }
  }

  func subscription(_ tenant: TenantID, _ site: SiteKey) -> SQLCommand { select(.subscription, tenant, site).command }

  /// Versions of a document from one on, in order.
  func documents(_ tenant: TenantID, _ kind: DocumentKind, from version: Int64, limit: Int) -> SQLCommand {
    var text = select(.document, tenant)
    text += " AND kind = "
    text.add(.text(kind.rawValue), .text)
    text += " AND version >= "
    text.add(.int(version), .int)
    text += " ORDER BY version LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  func newestDocument(_ tenant: TenantID, _ kind: DocumentKind) -> SQLCommand {
    var text = select(.document, tenant)
    text += " AND kind = "
    text.add(.text(kind.rawValue), .text)
    text += " ORDER BY version DESC LIMIT 1"
    return text.command
  }

  // MARK: - Pieces

  private func select(_ table: SQLTable, _ tenant: TenantID, _ part: PartID? = nil) -> SQLText {
    var text = SQLText(dialect, "SELECT \(table.columnNames) FROM \(table.name) WHERE tenant = ")
    text.add(.text(tenant.name), .text)
    if let part {
      text += " AND part = "
      text.add(.int(Int64(part.number)), .int)
    }
    return text
  }

  private func select(_ table: SQLTable, _ tenant: TenantID, _ site: SiteKey) -> SQLText {
    var text = select(table, tenant)
    text += " AND site = "
    text.add(.bytes(site.bytes), .bytes)
    return text
  }

  private static func scope(_ tenant: TenantID, _ part: PartID, _ text: inout SQLText) {
    text += "tenant = "
    text.add(.text(tenant.name), .text)
    text += " AND part = "
    text.add(.int(Int64(part.number)), .int)
  }

  /// Commands that look up values, so many at a time. The condition adds them where it calls its second argument.
  private func lookUp(
    _ table: SQLTable, columns: String? = nil, _ values: [SQLValue], _ type: SQLType,
    _ condition: (inout SQLText, (inout SQLText) -> Void) -> Void
  ) -> [SQLCommand] {
    var result: [SQLCommand] = []
    var start = 0
    while start < values.count {
      let remaining = values.count - start
      let length = SQLStatements.lengths.last { $0 >= remaining } ?? SQLStatements.lengths[0]
      var piece = Array(values[start..<min(values.count, start + length)])
      while piece.count < length, let last = piece.last { piece.append(last) }
      var text = SQLText(dialect, "SELECT \(columns ?? table.columnNames) FROM \(table.name) WHERE ")
      condition(&text) { text in
        for (index, value) in piece.enumerated() {
          text += index == 0 ? "(" : ", "
          text.add(value, type)
        }
        text += ")"
      }
      result.append(text.command)
      start += length
    }
    return result
  }
}
