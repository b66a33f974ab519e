/// A query whose objects a device wants.
public struct SubscribedQuery: Hashable, Sendable {
  /// The name that the program gave the subscription.
  public let name: SyncText?
  /// The class.
  public let className: SyncText
  /// The predicate as text, with its constants in it; `TRUEPREDICATE` for all objects of the class.
  public let predicate: SyncText

  /// A query.
  public init(name: SyncText? = nil, className: SyncText, predicate: SyncText) {
    self.name = name
    self.className = className
    self.predicate = predicate
  }
}

/// The whole set of a device's subscriptions, from the device.
public struct Subscribe: Hashable, Sendable {
  /// The version of the set, which rises with each change of it.
  public let version: UInt64
  /// The queries in the device's order.
  public let queries: [SubscribedQuery]

  /// A set of subscriptions.
  public init(version: UInt64, queries: [SubscribedQuery]) {
    self.version = version
    self.queries = queries
  }
}

extension SubscribedQuery: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.flag(name != nil)
    if let name { encoder.writer.text(name) }
    encoder.name(className)
    encoder.writer.text(predicate)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    name = try decoder.flag() ? try decoder.reader.text() : nil
    className = try decoder.name()
    predicate = try decoder.reader.text()
  }
}

extension Subscribe: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(version)
    encoder.array(queries)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    version = try decoder.reader.varint()
    queries = try decoder.array(eachAtLeast: 3)
  }
}
