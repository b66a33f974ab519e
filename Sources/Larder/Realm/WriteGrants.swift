/// The requests of one Realm for the write lock that were made and not taken yet.
///
/// Confined like its Realm.
final class WriteGrants {
  private var waiting: [WriteGrant] = []

  var isEmpty: Bool { waiting.isEmpty }

  func add(_ grant: WriteGrant) { waiting.append(grant) }
  func remove(_ grant: WriteGrant) { waiting.removeAll { $0 === grant } }

  /// Takes all of them out.
  func removeAll() -> [WriteGrant] {
    defer { waiting = [] }
    return waiting
  }

  /// Asks for the lock in a way that cannot wait for a grant of this very Realm.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    if waiting.isEmpty { return try body() }
    let suspended = waiting
    for grant in suspended { grant.suspend() }
    defer { for grant in suspended { grant.resume() } }
    return try body()
  }
}

/// The writes of a Realm that wait in a queue of their own, as the Realm knows them.
protocol WriteQueue: AnyObject {
  /// Drops all blocks that have not run.
  func dropQueued(_ core: RealmCore)
}
