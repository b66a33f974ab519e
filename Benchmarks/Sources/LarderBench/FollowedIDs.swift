/// The ids of a followed query, and what changed between two runs of it.
struct FollowedIDs {
  private(set) var ids: [Int] = []
  var changes = 0

  /// Takes over the new result; says how many ids are not where they were.
  mutating func adopt(_ new: [Int]) -> Int {
    var first = 0
    let shared = min(ids.count, new.count)
    while first < shared, ids[first] == new[first] { first += 1 }
    var last = 0
    while last < shared - first, ids[ids.count - 1 - last] == new[new.count - 1 - last] { last += 1 }
    let changed = max(ids.count, new.count) - first - last
    ids = new
    return changed
  }

  var answer: Answer {
    var digest = OrderDigest()
    for id in ids { digest.add(id) }
    return digest.answer
  }
}
