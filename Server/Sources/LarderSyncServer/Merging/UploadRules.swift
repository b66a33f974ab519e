import LarderSyncProtocol

/// The rules for what a user may write in uploads: the access of the user, and only objects of a class and kind of primary key that the schema knows, with its
/// properties and values of its types, and nothing that is above a limit.
struct UploadRules: WriteRules {
  let access: UserAccess
  /// Objects of which nothing in the commit is merged, with the reason.
  var refused: [ObjectName: RefusalReason] = [:]
  /// New objects of the commit that devices only send: what else it says of them belongs to their creation.
  var sent: Set<ObjectName> = []
  /// True if the database does not take the result of the commit.
  var isQuarantined = false

  func summary(of state: ObjectState, _ object: ObjectName) -> ObjectSummary { access.summary(of: state, object) }

  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? {
    if isQuarantined || isAboveLimit(operation) { return .tooLarge }
    guard let schemaClass = access.storedClass(operation.object.className),
      schemaClass.hasPrimaryKey(operation.object.key),
      schemaClass.accepts(operation.edit, known: { access.schemaClass($0) })
    else { return .schema }
    if schemaClass.kind == .asymmetric { return refusalOfSent(operation, before: state) }
    let other = refused.isEmpty ? nil : refused[operation.object]
    guard let reason = access.refusal(of: operation, before: state) else { return other }
    // Of an object that is not there the reason would be the other one.
    if case .create = operation.edit, access.isHidden(operation.object, state),
      !access.insertsNothing(operation.object.className)
    {
      return other ?? reason
    }
    return reason
  }

  private func isAboveLimit(_ operation: SyncOperation) -> Bool {
    do throws(SyncLimitExceeded) { try operation.checkLimits() } catch { return true }
    return false
  }

  /// Objects that devices only send are made once, by who may insert them, and never changed (Y-46).
  private func refusalOfSent(_ operation: SyncOperation, before state: ObjectState) -> RefusalReason? {
    switch operation.edit {
    case .create where !state.isAlive: access.refusal(of: operation, before: state)
    case .create where access.insertsNothing(operation.object.className): .insert
    case .delete: .delete
    default: sent.contains(operation.object) ? nil : .objectBefore
    }
  }

  func looksAfter(_ operation: SyncOperation) -> Bool {
    access.storedClass(operation.object.className)?.kind != .asymmetric && access.looksAfter(operation)
  }

  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    access.refusalAfter(operation, state)
  }
}

extension SchemaClass {
  /// Returns true if objects of the class have primary keys of that kind.
  fileprivate func hasPrimaryKey(_ key: PrimaryKey) -> Bool {
    guard let primaryKey, let property = property(primaryKey) else { return false }
    switch (key, property.type) {
    case (.int, .int), (.string, .string), (.objectID, .objectID), (.uuid, .uuid): return true
    default: return false
    }
  }
}
