import LarderSyncProtocol

/// The rights of one user to read and write (Y-27). Users with equal access see the same of what equal queries have, so that sessions can share the
/// work. A value; may be used from any thread.
public struct UserAccess: Hashable, Sendable {
  /// The state that the log keeps of objects.
  public typealias Summary = ObjectSummary

  private let classes: [SyncText: ClassAccess]
  private let schemaClasses: [SyncText: SchemaClass]

  /// The rules of classes in a schema. A class without rules can be neither read nor written.
  public init(_ classes: [SyncText: ClassAccess], in schema: SyncSchema) {
    self.classes = classes
    schemaClasses = Dictionary(uniqueKeysWithValues: schema.classes.map { ($0.name, $0) })
  }

  /// Returns the rule for the objects of a class that the user may read.
  public func readRule(_ className: SyncText) -> ReadRule { classes[className]?.read ?? .nothing }

  /// A class of the schema that the rules are about; nil when it has none of that name.
  func schemaClass(_ name: SyncText) -> SchemaClass? { schemaClasses[name] }
}

extension UserAccess: WriteRules {
  public func summary(of state: ObjectState, _ object: ObjectName) -> ObjectSummary {
    ObjectSummary(of: state, object, in: schemaClasses[object.className])
  }

  public func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? {
    guard schemaClasses[operation.object.className] != nil else { return .schema }
    let access = classes[operation.object.className] ?? ClassAccess()
    switch operation.edit {
    case .create where !state.isAlive:
      return access.insert == .nothing ? .insert : nil
    case .create:
      let reason = refusalOfChange(operation, state, access)
      // As of one that is not there: a reason of its own would tell the user that the key is taken.
      return reason != nil && isHidden(operation.object, state) ? .insert : reason
    case .delete where mayHide(access, state), .delete where !allows(access.delete, operation.object, state):
      return .delete
    case .delete: return nil
    case _ where mayHide(access, state): return .objectBefore
    default:
      let reason = refusalOfChange(operation, state, access)
      return reason != nil && isHidden(operation.object, state) ? .objectBefore : reason
    }
  }

  private func refusalOfChange(
    _ operation: SyncOperation, _ state: ObjectState, _ access: ClassAccess
  ) -> RefusalReason? {
    guard allows(access.write, operation.object, state) else { return .objectBefore }
    return operation.edit.changedProperties.allSatisfy { access.mayWrite($0) } ? nil : .property
  }

  /// Returns true if the object is there and the user may not read it.
  func isHidden(_ object: ObjectName, _ state: ObjectState) -> Bool {
    state.isAlive && !allows(readRule(object.className), object, state)
  }

  /// Returns true if an object of which nothing is known is answered like a hidden one. Where users see everything, there is nothing to hide.
  private func mayHide(_ access: ClassAccess, _ state: ObjectState) -> Bool {
    !state.isKnown && access.read != .everything
  }

  /// Returns true if the user may create no objects of a class.
  func insertsNothing(_ className: SyncText) -> Bool { classes[className]?.insert ?? .nothing == .nothing }

  public func looksAfter(_ operation: SyncOperation) -> Bool {
    guard let access = classes[operation.object.className] else { return false }
    switch operation.edit {
    case .delete: return false
    case .create: return access.insert != .everything || access.write != .everything
    default: return access.write != .everything
    }
  }

  public func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    guard state.isAlive, let access = classes[operation.object.className] else { return nil }
    // Whether the object was there before is not known here, so that a creation has to be allowed as what it comes to.
    if case .create = operation.edit { return allows(access.insert, operation.object, state) ? nil : .insert }
    return allows(access.write, operation.object, state) ? nil : .objectAfter
  }

  private func allows(_ rule: ReadRule, _ object: ObjectName, _ state: ObjectState) -> Bool {
    let primaryKey = schemaClasses[object.className]?.primaryKey
    return rule.allows { $0 == primaryKey ? SyncValue(object.key) : state.value(of: $0) ?? .null }
  }
}

extension ClassAccess {
  fileprivate func mayWrite(_ property: SyncText) -> Bool { writableProperties?.contains(property) ?? true }
}

extension SyncEdit {
  /// The properties of the object that the edit changes.
  fileprivate var changedProperties: [SyncText] {
    if case .create(let properties) = self { return properties.map(\.name) }
    return path.map { [$0.property] } ?? []
  }
}
