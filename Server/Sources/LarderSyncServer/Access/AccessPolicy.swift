import LarderSyncProtocol

/// The rules of a tenant: what each of its users may read and write. A value; may be used from any thread.
public struct AccessPolicy: Sendable {
  /// Another number whenever the rules change, so that sessions notice.
  public let version: UInt64
  private let schema: SyncSchema
  private let classes: [SyncText: ClassAccess]

  private init(version: UInt64, schema: SyncSchema, classes: [SyncText: ClassAccess]) {
    self.version = version
    self.schema = schema
    self.classes = classes
  }

  /// All users may do everything with the classes of a schema: what a server for development allows.
  public static func everything(schema: SyncSchema) -> AccessPolicy {
    let classes = schema.classes.map { ($0.name, ClassAccess.everything) }
    return AccessPolicy(
      version: schema.version, schema: schema, classes: Dictionary(uniqueKeysWithValues: classes))
  }

  /// Nothing is allowed: what holds for a tenant without roles.
  public static func nothing(schema: SyncSchema) -> AccessPolicy {
    AccessPolicy(version: schema.version, schema: schema, classes: [:])
  }

  /// Returns the access of the user with these claims.
  public func access(for claims: UserClaims) -> UserAccess { UserAccess(classes, in: schema) }
}
