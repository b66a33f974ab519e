import LarderSyncProtocol
import LarderSyncQuery

/// The objects that a device has, by class. Devices with equal views get equal records, which are made and encoded once.
struct SyncView: Hashable, Sendable {
  let classes: [SyncText: ClassView]
  private let hash: Int

  init(_ classes: [SyncText: ClassView]) {
    self.classes = classes
    var hasher = Hasher()
    hasher.combine(classes)
    hash = hasher.finalize()
  }

  /// A view of nothing.
  static let empty = SyncView([:])

  /// Returns true if an object with this summary is in the view.
  func contains(_ object: ObjectName, _ summary: ObjectSummary) -> Bool {
    summary.isAlive && classes[object.className]?.contains(summary) ?? false
  }

  /// The classes in which this view and another one may have different objects, in order.
  func classes(differingFrom other: SyncView) -> [SyncText] {
    Set(classes.keys).union(other.classes.keys).filter { classes[$0] != other.classes[$0] }.sorted()
  }

  static func == (left: SyncView, right: SyncView) -> Bool { left.hash == right.hash && left.classes == right.classes }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// A query that was refused, with the reason.
struct RefusedQuery: Error {
  let query: SubscribedQuery
  let reason: String
}

extension SyncView {
  /// The view of a set of subscriptions under rules.
  ///
  /// - Throws: `RefusedQuery` for the first query that subscriptions cannot ask for.
  init(
    _ queries: [SubscribedQuery], rules: [SyncText: ReadRule], in schema: SyncSchema
  ) throws(RefusedQuery) {
    var checked: [SyncText: Set<ViewQuery>] = [:]
    for query in queries {
      guard let schemaClass = schema.classes.first(where: { $0.name == query.className }) else {
        throw RefusedQuery(query: query, reason: "The server's schema has no class '\(query.className)'.")
      }
      do throws(SubscriptionQueryError) {
        checked[query.className, default: []].insert(try ViewQuery(query, in: schemaClass))
      } catch {
        throw RefusedQuery(query: query, reason: error.description)
      }
    }
    var classes: [SyncText: ClassView] = [:]
    for (name, queries) in checked { classes[name] = ClassView(queries, rule: rules[name] ?? .nothing) }
    self.init(classes)
  }

  /// The view of those queries of a set that are allowed: what is left of subscriptions after a change of the schema.
  init(allowed queries: [SubscribedQuery], rules: [SyncText: ReadRule], in schema: SyncSchema) {
    let allowed = queries.filter { (try? SyncView([$0], rules: rules, in: schema)) != nil }
    self = (try? SyncView(allowed, rules: rules, in: schema)) ?? .empty
  }
}
