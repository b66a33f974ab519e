import LarderSyncProtocol

/// Who may write what in uploads: the access of the user, and only objects of a class and kind of primary key that the schema knows,
/// with values of its types.
struct UploadRules: WriteRules {
  let access: UserAccess

  func summary(of state: ObjectState, _ object: ObjectName) -> ObjectSummary { access.summary(of: state, object) }

  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? {
    guard let schemaClass = access.storedClass(operation.object.className),
      schemaClass.hasPrimaryKey(operation.object.key),
      SchemaFit(access: access).fits(operation.edit, of: schemaClass)
    else { return .schema }
    return access.refusal(of: operation, before: state)
  }

  func looksAfter(_ operation: SyncOperation) -> Bool { access.looksAfter(operation) }

  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    access.refusalAfter(operation, state)
  }
}

extension SchemaClass {
  /// Whether objects of the class have primary keys of that kind.
  fileprivate func hasPrimaryKey(_ key: PrimaryKey) -> Bool {
    guard let property = properties.first(where: { $0.name == primaryKey }) else { return false }
    switch (key, property.type) {
    case (.int, .int), (.string, .string), (.objectID, .objectID), (.uuid, .uuid): return true
    default: return false
    }
  }
}
