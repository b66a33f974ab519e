import Synchronization

/// Every statement that the server runs on its tables, for one dialect. No other file makes SQL for them.
///
/// Each statement but the list of tenants names the tenant. Lists of values come in a few lengths, so that a connection prepares few
/// statements: longer lists are cut, and lists for looking up are filled up with their last value.
final class SQLStatements: Sendable {
  let dialect: SQLDialect
  private let made = Mutex<[Form: SQLStatement]>([:])

  init(_ dialect: SQLDialect) { self.dialect = dialect }

  /// The purpose of a statement with a list of rows.
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

  /// The head rows of all parts of several tenants, so many at a time.
  func heads(of tenants: [TenantID]) -> [SQLCommand] {
    stride(from: 0, to: tenants.count, by: SQLStatements.lengths[0]).map { start in
      var piece = Array(tenants[start..<min(tenants.count, start + SQLStatements.lengths[0])])
      let length = SQLStatements.lengths.last { $0 >= piece.count } ?? piece.count
      while piece.count < length, let last = piece.last { piece.append(last) }
      var text = SQLText(dialect, "SELECT \(SQLTable.part.columnNames) FROM larder_part WHERE tenant IN (")
      for (index, tenant) in piece.enumerated() {
        text += index == 0 ? "" : ", "
        text.add(.text(tenant.name), .text)
      }
      text += ")"
      return text.command
    }
  }

  // MARK: - Objects

  /// A command for each key, all of one statement. Lists of keys, `pk IN (…)`, are read without the index's last column by PostgreSQL while
  /// it has no statistics of the table: that costs as much as the class is large.
  func objects(_ tenant: TenantID, _ part: PartID, _ keys: [ObjectKey]) -> [SQLCommand] {
    guard let first = keys.first else { return [] }
    var text = SQLText(dialect, "SELECT class, pk, alive, version, body FROM larder_object WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND class = "
    text.add(.text(first.className), .text)
    text += " AND pk = "
    text.add(.bytes(first.primaryKey), .bytes)
    let statement = text.command.statement
    return keys.map {
      statement(.text(tenant.name), .int(Int64(part.number)), .text($0.className), .bytes($0.primaryKey))
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

  func totals(_ tenant: TenantID, _ part: PartID, _ className: String, _ filter: QueryFilter) -> SQLCommand {
    var text = SQLText(dialect, "SELECT COUNT(*), COALESCE(SUM(LENGTH(body)), 0) FROM larder_object WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND class = "
    text.add(.text(className), .text)
    text += " AND alive = 1"
    SQLFilter.append(filter, to: &text)
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

  func changeSizes(_ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int) -> SQLCommand {
    var text = SQLText(dialect, "SELECT LENGTH(delta) + LENGTH(old_fields) FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND version > "
    text.add(.int(version), .int)
    text += " ORDER BY version LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  func changeBytes(_ tenant: TenantID, _ part: PartID, after version: Int64) -> SQLCommand {
    var text = SQLText(dialect, "SELECT COALESCE(SUM(LENGTH(delta)), 0) FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND version > "
    text.add(.int(version), .int)
    return text.command
  }

  /// The version of the newest change of a site, found by the index of its commits.
  func lastChange(_ tenant: TenantID, _ part: PartID, of site: SiteKey) -> SQLCommand {
    var text = SQLText(dialect, "SELECT version FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND site = "
    text.add(.bytes(site.bytes), .bytes)
    text += " ORDER BY site_version DESC LIMIT 1"
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

  /// Keeps the random numbers of the changes up to a version, which are about to be removed.
  func keepNonces(_ tenant: TenantID, _ part: PartID, upTo version: Int64) -> SQLCommand {
    let columns = SQLTable.nonce.columnNames
    var text = SQLText(dialect, "INSERT INTO larder_nonce (\(columns)) SELECT \(columns) FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND version <= "
    text.add(.int(version), .int)
    text += " ON CONFLICT (\(SQLTable.nonce.keyNames)) DO NOTHING"
    return text.command
  }

  /// Removes all but the newest random numbers of the sites of the changes up to a version.
  func removeNonces(_ tenant: TenantID, _ part: PartID, upTo version: Int64, keeping count: Int64) -> SQLCommand {
    var text = SQLText(dialect, "DELETE FROM larder_nonce WHERE tenant = ")
    text.add(.text(tenant.name), .text)
    text += " AND site IN (SELECT site FROM larder_change WHERE "
    SQLStatements.scope(tenant, part, &text)
    text += " AND version <= "
    text.add(.int(version), .int)
    text +=
      ") AND site_version <= (SELECT MAX(n.site_version) FROM larder_nonce n WHERE n.tenant = larder_nonce.tenant "
    text += "AND n.site = larder_nonce.site) - "
    text.add(.int(count), .int)
    return text.command
  }

  func nonces(_ tenant: TenantID, _ site: SiteKey, after siteVersion: Int64, limit: Int) -> SQLCommand {
    var text = SQLText(dialect, "")
    for table in ["larder_nonce", "larder_change"] {
      // A union has each row once, and a commit may be in several parts.
      text += "\(table == "larder_change" ? " UNION " : "")SELECT site_version, nonce FROM \(table) WHERE tenant = "
      text.add(.text(tenant.name), .text)
      text += " AND site = "
      text.add(.bytes(site.bytes), .bytes)
      text += " AND site_version > "
      text.add(.int(siteVersion), .int)
    }
    text += " ORDER BY site_version LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  /// A command for each version, all of one statement.
  func nonces(_ tenant: TenantID, _ part: PartID, at versions: [Int64]) -> [SQLCommand] {
    guard let first = versions.first else { return [] }
    var text = SQLText(dialect, "SELECT version, nonce FROM larder_change WHERE ")
    SQLStatements.scope(tenant, part, &text)
    text += " AND version = "
    text.add(.int(first), .int)
    let statement = text.command.statement
    return versions.map { statement(.text(tenant.name), .int(Int64(part.number)), .int($0)) }
  }

  /// A command for each random number, all of one statement.
  func copies(_ tenant: TenantID, _ nonces: [UInt64]) -> [SQLCommand] {
    guard let first = nonces.first else { return [] }
    var text = SQLText(dialect, "SELECT nonce, site FROM larder_copy WHERE tenant = ")
    text.add(.text(tenant.name), .text)
    text += " AND nonce = "
    text.add(.int(Int64(bitPattern: first)), .int)
    let statement = text.command.statement
    return nonces.map { statement(.text(tenant.name), .int(Int64(bitPattern: $0))) }
  }

  // MARK: - Sites and documents

  func client(_ tenant: TenantID, _ site: SiteKey) -> SQLCommand { select(.client, tenant, site).command }

  func clients(_ tenant: TenantID, after site: SiteKey?, limit: Int) -> SQLCommand {
    var text = select(.client, tenant)
    text += " AND site > "
    text.add(.bytes(site?.bytes ?? []), .bytes)
    text += " ORDER BY site LIMIT "
    text.add(.int(Int64(limit)), .int)
    return text.command
  }

  /// Locks rows in the order given, which has to be that of the sites, so that two transactions do not wait for each other.
  func lockClients(_ tenant: TenantID, _ sites: [SiteKey]) -> [SQLCommand] {
    guard let first = sites.first else { return [] }
    var text = select(.client, tenant, first)
    text += dialect.forUpdate
    let statement = text.command.statement
    return sites.map { statement(.text(tenant.name), .bytes($0.bytes)) }
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
}
