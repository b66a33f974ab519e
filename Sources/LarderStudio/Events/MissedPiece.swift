import LarderExchange
import LarderInspection
import LarderObservation
import LarderStorage

/// The changes of a query that a returning page has missed.
enum MissedPiece {
  enum Answer {
    /// It missed nothing that concerns the query.
    case nothing
    case change(JSONValue)
    /// The log does not have it any more.
    case unknown
  }

  /// - Parameter last: The newest version that the page knows of.
  static func answer(_ topic: EventTopic, after last: UInt64, _ snapshot: Snapshot) throws -> Answer {
    guard last != snapshot.version else { return .nothing }
    // Of a later version than there is: it saw another store.
    guard last < snapshot.version else { return .unknown }
    let query = ObservedResults(topic.query)
    let keys = try query.evaluate(snapshot)
    guard let missed = try MissedChanges(of: query, keys, after: last, in: snapshot) else { return .unknown }
    guard !missed.isEmpty else { return .nothing }
    let tree = ObjectTree(snapshot)
    func objects(_ positions: [Int]) throws -> JSONValue {
      .init(
        try positions.prefix(ListedObjects.most).map { position in
          JSONValue(written: try QueryAnswers.row(topic.entry, keys[position], tree, position: position))
        })
    }
    return .change([
      "topic": .init(topic.id), "version": .init(snapshot.version), "since": .init(last), "count": .init(keys.count),
      "deleted": .init([JSONValue]()), "inserted": try objects(missed.insertions),
      "modified": try objects(missed.modifications), "left": .init(missed.left),
      "total": ListedObjects.total(0, missed.insertions.count, missed.modifications.count),
    ])
  }
}
