import LarderSyncProtocol
import LarderSyncQuery

/// Who may do what, as operators write it in JSON: for each class a list of roles, of which the first one that applies to a user counts.
///
///     { "City": [ { "name": "editor", "applyWhen": { "role": ["editor"] }, "read": true, "write": true, "insert": true },
///                 { "name": "reader", "read": "country == claims.country" } ] }
///
/// `applyWhen` names claims of the token and the values of which it has to have one; without it the role applies to everyone. `read`, `write`,
/// `insert` and `delete` are true, false (as when they are missing), or predicates with `claims.NAME` for the values of claims. `properties` are
/// the only ones that may be written. A value; may be used from any thread.
public struct RolesDocument: Sendable {
  struct Role: Sendable {
    let name: String
    let applies: [String: [SyncValue]]
    let read: Permission
    let write: Permission
    let insert: Permission
    let delete: Permission
    let properties: Set<SyncText>?
  }

  enum Permission: Sendable {
    case everything, nothing
    case predicate(SyncText)
  }

  private let schema: SyncSchema
  private let roles: [SyncText: [Role]]

  /// Reads roles, which have to fit a schema.
  ///
  /// - Throws: `DocumentError`, which names class, role and key, and for predicates what is wrong with them.
  public init(_ text: [UInt8], schema: SyncSchema) throws(DocumentError) {
    self.schema = schema
    var roles: [SyncText: [Role]] = [:]
    for (className, content) in try JSONDocument(text, named: "the roles").members() {
      guard let schemaClass = schema.classes.first(where: { $0.name == SyncText(className) }),
        schemaClass.kind != .embedded
      else {
        throw DocumentError("'\(className)' is no class of the schema that has objects of its own.")
      }
      var list: [Role] = []
      for content in try content.values() { list.append(try RolesDocument.role(content, schemaClass)) }
      roles[schemaClass.name] = list
    }
    self.roles = roles
  }

  /// What a user may do.
  public func access(for claims: UserClaims) -> UserAccess {
    var classes: [SyncText: ClassAccess] = [:]
    for (className, list) in roles {
      guard let role = list.first(where: { $0.applies(to: claims) }),
        let schemaClass = schema.classes.first(where: { $0.name == className })
      else { continue }
      classes[className] = ClassAccess(
        read: role.read.rule(schemaClass, claims), write: role.write.rule(schemaClass, claims),
        insert: role.insert.rule(schemaClass, claims), delete: role.delete.rule(schemaClass, claims),
        writableProperties: role.properties)
    }
    return UserAccess(classes, in: schema)
  }

  /// The name of the role that a user has for each class.
  public func names(for claims: UserClaims) -> [String: String] {
    var names: [String: String] = [:]
    for (className, list) in roles {
      names[className.string] = list.first { $0.applies(to: claims) }?.name
    }
    return names
  }

  private static func role(_ content: JSONDocument, _ schemaClass: SchemaClass) throws(DocumentError) -> Role {
    let members = try content.members(["name", "applyWhen", "read", "write", "insert", "delete", "properties"])
    guard let name = try members["name"]?.text() else { throw DocumentError("\(content.place) has no name.") }
    var applies: [String: [SyncValue]] = [:]
    for (claim, value) in try members["applyWhen"]?.members() ?? [:] { applies[claim] = try values(value) }
    func permission(_ key: String) throws(DocumentError) -> Permission {
      guard let value = members[key] else { return .nothing }
      return try self.permission(value, schemaClass)
    }
    return Role(
      name: name, applies: applies, read: try permission("read"), write: try permission("write"),
      insert: try permission("insert"), delete: try permission("delete"),
      properties: try members["properties"].map { value throws(DocumentError) in
        try properties(value, schemaClass)
      })
  }

  private static func permission(
    _ content: JSONDocument, _ schemaClass: SchemaClass
  ) throws(DocumentError) -> Permission {
    switch content.content {
    case .bool(let flag): return flag ? .everything : .nothing
    case .string(let text):
      if let trouble = trouble(SyncText(text), schemaClass) { throw DocumentError("\(content.place): \(trouble)") }
      return .predicate(SyncText(text))
    default: throw DocumentError("\(content.place) has to be true, false or a predicate.")
    }
  }

  /// What is wrong with a predicate for any values of its claims: these may be of any type, one value or several.
  private static func trouble(_ text: SyncText, _ schemaClass: SchemaClass) -> SubscriptionQueryError? {
    let names = text.string.matches(of: #/claims\.(\w+)/#).map { String($0.output.1) }
    let samples: [SyncValue] = [.string(""), .int(0), .bool(true), .double(0)]
    var first: SubscriptionQueryError?
    for sample in samples {
      do throws(SubscriptionQueryError) {
        let claims = Dictionary(names.map { ($0, [sample]) }, uniquingKeysWith: { $1 })
        _ = try SubscriptionQuery(text, in: schemaClass, claims: claims)
        return nil
      } catch {
        if first == nil { first = error }
      }
      if names.isEmpty { break }
    }
    return first
  }

  private static func properties(
    _ content: JSONDocument, _ schemaClass: SchemaClass
  ) throws(DocumentError) -> Set<SyncText> {
    var found: Set<SyncText> = []
    for value in try content.values() {
      let name = SyncText(try value.text())
      guard schemaClass.properties.contains(where: { $0.name == name }) else {
        throw DocumentError("\(value.place): '\(schemaClass.name)' has no property '\(name)'.")
      }
      found.insert(name)
    }
    return found
  }

  /// The values of a claim, of which a token has to have one.
  private static func values(_ content: JSONDocument) throws(DocumentError) -> [SyncValue] {
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

extension RolesDocument.Role {
  fileprivate func applies(to claims: UserClaims) -> Bool {
    applies.allSatisfy { name, values in !Set(values).isDisjoint(with: claims.values[name] ?? []) }
  }
}

extension RolesDocument.Permission {
  /// The permission with the claims of a user. A predicate that asks for a claim which the token lacks allows nothing.
  fileprivate func rule(_ schemaClass: SchemaClass, _ claims: UserClaims) -> ReadRule {
    switch self {
    case .everything: return .everything
    case .nothing: return .nothing
    case .predicate(let text):
      guard let query = try? RuleQuery(text, in: schemaClass, claims: claims.values) else { return .nothing }
      return .matching(query)
    }
  }
}
