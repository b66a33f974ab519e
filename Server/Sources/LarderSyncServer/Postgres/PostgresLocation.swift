import CPQ

/// The location of a PostgreSQL: the text that libpq takes, and a description without passwords.
struct PostgresLocation: Hashable, Sendable {
  let url: String
  /// Host, port, database and user.
  let description: String

  /// - Parameter url: `postgresql://user@host:port/database?…`, or pairs of names and values as libpq takes them.
  /// - Throws: `SyncStoreError` of kind `invalidLocation` when libpq does not understand it.
  init(_ url: String) throws(SyncStoreError) {
    self.url = url
    var message: UnsafeMutablePointer<CChar>?
    defer { PQfreemem(message) }
    guard url.contains("=") || url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"),
      let options = PQconninfoParse(url, &message)
    else {
      let reason = message.map { ": " + String(cString: $0).trimmed } ?? ""
      throw SyncStoreError(
        .invalidLocation, "a PostgreSQL is named as postgresql://user@host:port/database; this is no such text\(reason)"
      )
    }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    let names = ["host", "hostaddr", "port", "dbname", "user"]
    let pieces = names.compactMap { name in found[name].map { "\(name) \($0)" } }
    description = "PostgreSQL \(pieces.joined(separator: ", "))"
  }
}

extension String {
  /// Without line ends and blanks at either end.
  var trimmed: String {
    var rest = self[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    return String(rest)
  }
}
