import LarderSyncProtocol
import LarderSyncQuery

/// A query that devices subscribe to, checked. Equal ones have the same objects.
struct ViewQuery: Hashable, Sendable {
  let predicate: SyncText
  let arguments: [SyncValue]
  let query: SubscriptionQuery
  private let schemaClass: SchemaClass

  /// Checks a query against the class of the server's schema.
  init(_ subscribed: SubscribedQuery, in schemaClass: SchemaClass) throws(SubscriptionQueryError) {
    query = try SubscriptionQuery(subscribed.predicate, arguments: subscribed.arguments, in: schemaClass)
    predicate = subscribed.predicate
    arguments = subscribed.arguments
    self.schemaClass = schemaClass
  }

  static func == (left: ViewQuery, right: ViewQuery) -> Bool {
    left.predicate == right.predicate && left.arguments == right.arguments && left.schemaClass == right.schemaClass
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(schemaClass.name)
    hasher.combine(predicate)
    hasher.combine(arguments)
  }
}
