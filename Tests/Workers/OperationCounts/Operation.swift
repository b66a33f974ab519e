import CCounting

/// The cost of one call in calls of the allocator and in references that are counted up.
struct Cost: Codable {
  var allocations: Double
  var retains: Double
}

/// One of the calls that programs make most.
struct Operation {
  let name: String
  /// The number of calls that the body makes.
  var calls = CountedStore.size
  /// Runs around the body where that needs a write transaction.
  var isWriting = false
  /// Makes what the body works on; none of it counts.
  let prepare: (CountedStore) throws -> () throws -> Void

  /// The cost of one call. The body runs twice and the second time counts: what is made once for a class or a store does not.
  func measure() throws -> Cost {
    let store = try CountedStore()
    var cost = Cost(allocations: 0, retains: 0)
    for _ in 0..<2 {
      let body = try prepare(store)
      func count() throws {
        let before = counting_read()
        try body()
        let after = counting_read()
        cost.allocations = Double(after.allocations - before.allocations) / Double(calls)
        cost.retains = Double(after.retains - before.retains) / Double(calls)
      }
      if isWriting { try store.realm.write { try count() } } else { try count() }
    }
    return cost
  }
}
