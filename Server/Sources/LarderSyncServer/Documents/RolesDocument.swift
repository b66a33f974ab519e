import LarderSyncProtocol

/// The roles of users, as operators write them in JSON: for each class a list of roles, of which the first one that applies to a user counts.
///
///     { "City": [ { "name": "editor", "applyWhen": { "role": ["editor"] }, "read": true, "write": true, "insert": true },
///                 { "name": "reader", "read": "country == claims.country" } ] }
///
/// `applyWhen` names claims of the token and the values of which it has to have one, or is a predicate of claims (`ClaimPredicate`); without it the
/// role applies to everyone. `read`, `write`, `insert` and `delete` are true, false (as when they are missing), or predicates with `claims.NAME`
/// for the values of claims. `writableProperties` are the only ones that may be written in objects that are there. Without a role that applies
/// everything is denied (Y-27). A value; may be used from any thread.
public struct RolesDocument: Sendable {
  let schema: SyncSchema
  let roles: [SyncText: [AccessRole]]

  /// Reads roles, which have to fit a schema.
  ///
  /// - Throws: `DocumentError`, which names class, role and key, and for predicates what is wrong with them.
  public init(_ text: [UInt8], schema: SyncSchema) throws(DocumentError) {
    self.schema = schema
    var roles: [SyncText: [AccessRole]] = [:]
    for (className, content) in try JSONDocument(text, named: "the roles").members().sorted(by: { $0.key < $1.key }) {
      guard let schemaClass = schema.classes.first(where: { $0.name == SyncText(className) }),
        schemaClass.kind != .embedded
      else {
        throw DocumentError(
          "'\(className)' is no class of the schema that has objects of its own; push the schema first if it is new.")
      }
      var list: [AccessRole] = []
      for content in try content.values() {
        let role = try RoleReader(schemaClass: schemaClass).role(content)
        guard !list.contains(where: { $0.name == role.name }) else {
          throw DocumentError("class '\(className)' has two roles named '\(role.name)'; give each a name of its own.")
        }
        list.append(role)
      }
      roles[schemaClass.name] = list
    }
    self.roles = roles
  }

  /// Returns the access of the user with these claims.
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
}
