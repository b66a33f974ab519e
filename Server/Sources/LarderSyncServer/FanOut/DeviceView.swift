import LarderSyncProtocol

/// A view that a device has or is to have: its subscriptions, the rules that are AND-ed with them, and what both come to.
struct DeviceView: Sendable {
  let tag: ViewTag
  let queries: [SubscribedQuery]
  /// The rules of the classes that are subscribed to.
  let rules: ReadRules
  let view: SyncView

  private init(_ tag: ViewTag, _ queries: [SubscribedQuery], _ rules: ReadRules, _ view: SyncView) {
    self.tag = tag
    self.queries = queries
    self.rules = rules.of(Set(queries.map(\.className)))
    self.view = view
  }

  /// The view of a set of subscriptions.
  ///
  /// - Throws: `RefusedQuery`.
  init(_ subscribe: Subscribe, rules: ReadRules, in schema: SyncSchema) throws(RefusedQuery) {
    let view = try SyncView(subscribe.queries, rules: rules.rules, in: schema)
    self.init(
      ViewTag(subscriptions: subscribe.version, rules: rules.fingerprint), subscribe.queries, rules, view)
  }

  /// The same subscriptions under other rules or another schema, as far as they are still allowed.
  func under(_ rules: ReadRules, in schema: SyncSchema) -> DeviceView {
    DeviceView(
      ViewTag(subscriptions: tag.subscriptions, rules: rules.fingerprint), queries, rules,
      SyncView(allowed: queries, rules: rules.rules, in: schema))
  }
}

// What the store keeps of views, so that a device that comes back later can go from the one it has to another.
extension DeviceView {
  /// The bytes of several views: their number, and for each its tag, queries and rules.
  static func bytes(_ views: [DeviceView]) -> [UInt8] {
    var encoder = SyncEncoder(capacity: 256)
    encoder.writer.count(views.count)
    for view in views {
      view.tag.encode(into: &encoder)
      encoder.writer.count(view.queries.count)
      for query in view.queries { query.encode(into: &encoder) }
      view.rules.encode(into: &encoder)
    }
    return encoder.writer.bytes
  }

  /// The view with a tag among those that were kept; nil when it is not there, or cannot be asked under the schema any more.
  static func view(_ tag: ViewTag, in bytes: [UInt8], schema: SyncSchema) -> DeviceView? {
    var decoder = SyncDecoder(bytes, limits: .stored)
    guard let count = try? decoder.reader.count() else { return nil }
    for _ in 0..<count {
      guard let view = try? DeviceView(from: &decoder, schema) else { return nil }
      if view.tag == tag { return view }
    }
    return nil
  }

  /// The views that were kept, as far as they can be asked under the schema.
  static func views(in bytes: [UInt8], schema: SyncSchema) -> [DeviceView] {
    var decoder = SyncDecoder(bytes, limits: .stored)
    var views: [DeviceView] = []
    for _ in 0..<((try? decoder.reader.count()) ?? 0) {
      guard let view = try? DeviceView(from: &decoder, schema) else { break }
      views.append(view)
    }
    return views
  }

  private init(from decoder: inout SyncDecoder, _ schema: SyncSchema) throws {
    let tag = try ViewTag(from: &decoder)
    var queries: [SubscribedQuery] = []
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 4)) { queries.append(try SubscribedQuery(from: &decoder)) }
    let rules = try ReadRules(from: &decoder, in: schema)
    self.init(tag, queries, rules, try SyncView(queries, rules: rules.rules, in: schema))
  }
}
