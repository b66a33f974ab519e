/// The reason why a query cannot be subscribed to.
public struct SubscriptionQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the fault; new kinds may be added.
  public enum Code: Hashable, Sendable {
    /// The text is no predicate, or does not fit the types of the class.
    case malformed
    /// The class cannot be subscribed to, or a property does not exist.
    case unknown
    /// Something that subscriptions cannot ask for.
    case notAllowed
    /// The server's schema does not declare the property queryable.
    case notQueryable
    /// A rule names a claim that the token does not have.
    case missingClaim
  }

  /// The kind of the fault.
  public let code: Code
  /// The class that is asked.
  public let className: String
  /// The property that is meant, where it is one.
  public let property: String?
  /// One sentence or several: what is wrong, where, and what to do.
  public let description: String

  init(_ code: Code, _ className: String, _ property: String? = nil, _ description: String) {
    self.code = code
    self.className = className
    self.property = property
    self.description = description
  }
}
