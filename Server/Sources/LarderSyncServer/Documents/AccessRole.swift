import LarderSyncProtocol
import LarderSyncQuery

/// A role of users for a class, as it was checked. A user has the first role of a class that applies, and no other.
struct AccessRole: Sendable {
  /// The condition for the users that a role applies to.
  enum Condition: Sendable {
    /// The users who have one of the values of each claim.
    case values([String: [SyncValue]])
    case predicate(ClaimPredicate)
  }

  /// The objects that a role permits an action on.
  enum Permission: Sendable {
    case everything, nothing
    case predicate(SyncText)
  }

  let name: String
  let condition: Condition
  let read: Permission
  let write: Permission
  let insert: Permission
  let delete: Permission
  /// The only properties that may be written in objects that are there; nil for all.
  let properties: Set<SyncText>?
}

extension AccessRole {
  /// Returns true if the role is for the user with these claims.
  func applies(to claims: UserClaims) -> Bool {
    switch condition {
    case .values(let wanted):
      wanted.allSatisfy { name, values in !Set(values).isDisjoint(with: claims.values[name] ?? []) }
    case .predicate(let predicate): predicate.matches(claims.values)
    }
  }
}

extension AccessRole.Permission {
  /// The permission with the claims of a user. A predicate that asks for a claim which the token lacks allows nothing.
  func rule(_ schemaClass: SchemaClass, _ claims: UserClaims) -> ReadRule {
    switch self {
    case .everything: return .everything
    case .nothing: return .nothing
    case .predicate(let text):
      guard let query = try? RuleQuery(text, in: schemaClass, claims: claims.values) else { return .nothing }
      return .matching(query)
    }
  }
}
