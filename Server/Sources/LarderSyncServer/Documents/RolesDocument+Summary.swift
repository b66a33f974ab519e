import LarderSyncProtocol
import LarderSyncQuery

/// The rights of a user for a class, in words for people.
public struct ClassSummary: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The role that applies; nil for none, which allows nothing.
  public let role: String?
  /// The permissions `read`, `write`, `insert` and `delete`, in this order: each is `all`, `none`, or the predicate.
  public let permissions: [Permission]
  /// The only properties that may be written in objects that are there; nil for all.
  public let writableProperties: [String]?

  /// One of the four permissions.
  public struct Permission: Hashable, Sendable {
    /// `read`, `write`, `insert` or `delete`.
    public let name: String
    /// `all`, `none`, or the predicate.
    public let text: String
  }

  /// A line for the class and one for each permission.
  public var lines: [String] {
    guard let role else { return ["\(className): no role applies, nothing is allowed"] }
    var lines = ["\(className): role '\(role)'"] + permissions.map { "  \($0.name): \($0.text)" }
    if let writableProperties { lines.append("  writable: \(writableProperties.joined(separator: ", "))") }
    return lines
  }
}

extension RolesDocument {
  /// Returns the rights of a user for each class that has objects of its own, by name.
  public func summary(for claims: UserClaims) -> [ClassSummary] {
    schema.classes.filter { $0.kind != .embedded }.map { schemaClass in
      let role = roles[schemaClass.name]?.first { $0.applies(to: claims) }
      let permissions = role.map {
        [("read", $0.read), ("write", $0.write), ("insert", $0.insert), ("delete", $0.delete)]
      }
      return ClassSummary(
        className: schemaClass.name.string, role: role?.name,
        permissions: (permissions ?? []).map { name, permission in
          ClassSummary.Permission(name: name, text: Self.text(permission, schemaClass, claims))
        },
        writableProperties: role?.properties?.sorted().map(\.string))
    }
  }

  private static func text(_ permission: AccessRole.Permission, _ schemaClass: SchemaClass, _ claims: UserClaims)
    -> String
  {
    switch permission {
    case .everything: return "all"
    case .nothing: return "none"
    case .predicate(let text):
      do throws(SubscriptionQueryError) {
        _ = try RuleQuery(text, in: schemaClass, claims: claims.values)
        return text.string
      } catch {
        return "none, because \(text) cannot be asked with these claims: \(error)"
      }
    }
  }
}
