/// The meaning of the five characters by which PostgreSQL names an error.
enum PostgresErrors {
  static func failure(state: String, message: String, location: String) -> SQLFailure {
    let (kind, advice, repeating) = meaning(of: state)
    return SQLFailure(
      SyncStoreError(kind, advice.isEmpty ? message : "\(message); \(advice)", location: location, code: state),
      repeating: repeating)
  }

  private typealias Meaning = (kind: SyncStoreError.Kind, advice: String, repeating: SQLFailure.Repeating)

  private static func meaning(of state: String) -> Meaning {
    switch state {
    // Not serializable, deadlock, lock not available.
    case "40001", "40P01", "55P03": return (.conflict, "other transactions were in the way", .transaction)
    // Shut down by an administrator, after a crash of another process, starting; too many connections.
    case "57P01", "57P02", "57P03", "53300": return (.unavailable, "", .connection)
    // Read only: this is a standby now.
    case "25006": return (.unavailable, "the server takes no writes; it may be a standby", .connection)
    case "53100": return (.full, "make space on the disk of the database", .no)
    case "57014": return (.timedOut, "the statement took longer than permitted", .no)
    case "42501": return (.noPermission, "grant it to the user that the server connects as", .no)
    case "42P01": return (.notMigrated, "run 'larder-sync migrate' on this database", .no)
    case "3D000": return (.cannotConnect, "create the database first", .no)
    default: break
    }
    switch state.prefix(2) {
    case "08": return (.unavailable, "", .connection)
    case "28": return (.noPermission, "check user, password and pg_hba.conf", .no)
    case "40": return (.conflict, "", .transaction)
    case "53": return (.unavailable, "the database lacks resources", .connection)
    case "XX": return (.damaged, "", .no)
    default: return (.refused, "", .no)
    }
  }

  /// A connection that was not made. libpq hands over no code for it, so that the text has to do for what an administrator must do.
  static func notConnected(_ message: String, needsPassword: Bool, location: String) -> SQLFailure {
    let refusals = ["authentication failed", "permission denied", "no pg_hba.conf entry", "role \""]
    if needsPassword || refusals.contains(where: message.contains) {
      let advice = "check user, password and pg_hba.conf"
      return SQLFailure(SyncStoreError(.noPermission, "\(message); \(advice)", location: location))
    }
    let mayStart = !message.contains("database \"")
    let advice = mayStart ? "check that it runs and takes connections there" : "create the database first"
    return SQLFailure(
      SyncStoreError(.cannotConnect, "\(message); \(advice)", location: location),
      repeating: mayStart ? .connection : .no)
  }
}
