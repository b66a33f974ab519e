import LarderSyncProtocol

/// The part, site, schema and epoch of the log that a bootstrap belongs to.
struct BootstrapScope: Sendable {
  let tenant: TenantID
  let part: PartID
  let site: SiteID
  let schema: SyncSchema
  /// The epoch of the log when the session began; another one ends the session.
  let epoch: Int64

  /// The class of the schema by a name.
  func schemaClass(_ name: SyncText) -> SchemaClass? { schema.classes.first { $0.name == name } }

  /// The summary of an object.
  func summary(of state: ObjectState, _ object: ObjectName) -> ObjectSummary {
    ObjectSummary(of: state, object, in: schemaClass(object.className))
  }
}

/// The reason why a bootstrap cannot continue: the device has to greet again.
enum BootstrapFailure: Error {
  /// The log was replaced, or trimmed past what the device has.
  case logIsAnother
}
