import LarderSyncProtocol

/// A subscription as the store keeps it.
package struct SubscriptionRecord: Hashable, Sendable {
  /// The name that the program gave it; unique in the set, across classes (Y-8).
  package var name: SyncText?
  /// The class.
  package var className: SyncText
  /// The predicate as canonical text; `TRUEPREDICATE` for all objects of the class.
  package var predicate: SyncText
  /// The values of `%@` in the text, in order.
  package var arguments: [SyncValue]
  /// The time when it was made, in milliseconds since 1970.
  package var createdAt: UInt64
  /// The time when its query was last replaced, in milliseconds since 1970.
  package var updatedAt: UInt64

  package init(
    name: SyncText?, className: SyncText, predicate: SyncText, arguments: [SyncValue] = [], createdAt: UInt64,
    updatedAt: UInt64
  ) {
    self.name = name
    self.className = className
    self.predicate = predicate
    self.arguments = arguments
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The query as the server receives it.
  package var query: SubscribedQuery {
    SubscribedQuery(name: name, className: className, predicate: predicate, arguments: arguments)
  }

  /// Returns true if both ask for the same objects, in the same words (Y-8).
  package func hasSameQuery(as other: SubscriptionRecord) -> Bool {
    className == other.className && predicate == other.predicate && arguments == other.arguments
  }
}

extension SubscriptionRecord: SyncCodable {
  package func encode(into encoder: inout SyncEncoder) {
    query.encode(into: &encoder)
    encoder.writer.varint(createdAt)
    encoder.writer.varint(updatedAt)
  }

  package init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let query = try SubscribedQuery(from: &decoder)
    self.init(
      name: query.name, className: query.className, predicate: query.predicate, arguments: query.arguments,
      createdAt: try decoder.reader.varint(), updatedAt: try decoder.reader.varint())
  }
}
