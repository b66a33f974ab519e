import LarderSyncProtocol
import LarderSyncQuery

/// Reads the roles of a class, and names class, role and key in errors.
struct RoleReader {
  let schemaClass: SchemaClass

  private static let keys = ["name", "applyWhen", "read", "write", "insert", "delete", "writableProperties"]

  /// - Throws: `DocumentError`.
  func role(_ content: JSONDocument) throws(DocumentError) -> AccessRole {
    guard let name = try content.members()["name"]?.text(), !name.isEmpty else {
      throw DocumentError("\(content.place) has no name.")
    }
    let place = "class '\(schemaClass.name)', role '\(name)'"
    let members: [String: JSONDocument]
    do { members = try content.members(Self.keys) } catch { throw DocumentError("\(place): \(error)") }
    func at<Value>(
      _ key: String, _ read: (JSONDocument) throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value? {
      guard let value = members[key] else { return nil }
      do { return try read(value) } catch { throw DocumentError("\(place), key '\(key)': \(error)") }
    }
    func permission(_ key: String) throws(DocumentError) -> AccessRole.Permission {
      try at(key) { value throws(DocumentError) in try self.permission(value, isInsert: key == "insert") } ?? .nothing
    }
    return AccessRole(
      name: name,
      condition: try at("applyWhen") { value throws(DocumentError) in try condition(value) } ?? .values([:]),
      read: try permission("read"), write: try permission("write"), insert: try permission("insert"),
      delete: try permission("delete"),
      properties: try at("writableProperties") { value throws(DocumentError) in try properties(value) })
  }

  private func condition(_ content: JSONDocument) throws(DocumentError) -> AccessRole.Condition {
    if case .string(let text) = content.content {
      do { return .predicate(try ClaimPredicate(SyncText(text))) } catch { throw DocumentError(error.description) }
    }
    var wanted: [String: [SyncValue]] = [:]
    for (claim, value) in try content.members() { wanted[claim] = try values(value) }
    return .values(wanted)
  }

  private func permission(
    _ content: JSONDocument, isInsert: Bool
  ) throws(DocumentError) -> AccessRole.Permission {
    switch content.content {
    case .bool(false): return .nothing
    case .bool(true) where schemaClass.kind == .object || isInsert: return .everything
    case .bool,
      .string where schemaClass.kind != .object:
      throw DocumentError(
        "objects of this class are only sent to the server: 'insert' may be true or false, and nothing else is allowed."
      )
    case .string(let text):
      do { _ = try RuleText(SyncText(text), in: schemaClass) } catch { throw DocumentError(error.description) }
      return .predicate(SyncText(text))
    default: throw DocumentError("\(content.place) has to be true, false or a predicate.")
    }
  }

  private func properties(_ content: JSONDocument) throws(DocumentError) -> Set<SyncText> {
    var found: Set<SyncText> = []
    for value in try content.values() {
      let name = SyncText(try value.text())
      guard schemaClass.properties.contains(where: { $0.name == name }) else {
        throw DocumentError("\(value.place): the class has no property '\(name)'.")
      }
      guard name != schemaClass.primaryKey else {
        throw DocumentError("'\(name)' is the primary key, which never changes.")
      }
      found.insert(name)
    }
    return found
  }

  /// The values of a claim, of which a token has to have one.
  private func values(_ content: JSONDocument) throws(DocumentError) -> [SyncValue] {
    switch content.content {
    case .bool(let flag): return [.bool(flag)]
    case .string(let text): return [.string(SyncText(text))]
    case .number(let number):
      guard let whole = Int64(exactly: number) else { return [.double(number)] }
      return [.int(whole)]
    case .list(let list):
      var all: [SyncValue] = []
      for value in list { all += try values(value) }
      return all
    case .null, .object:
      throw DocumentError("\(content.place) has to be a text, a number, true, false or a list of those.")
    }
  }
}
