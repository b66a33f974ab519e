/// The rows, and the choices the workloads make among them. Fixed by the number of rows alone.
struct Dataset {
  let rows: [PersonRow]
  /// Further rows for the commits of one object, with ascending ids after those of `rows`.
  let extra: [PersonRow]
  /// Ids for the lookups, in random order.
  let lookupIDs: [Int]
  /// Names for the lookups by name, in random order.
  let lookupNames: [String]
  /// Ten thousand names for one condition, every other one of no person.
  let manyNames: [String]
  let linked = CityData()
  /// The people whose age changes, with the new age, in random order.
  let updates: [(id: Int, age: Int)]
  /// Rows with another name, in random order.
  let nameChanges: [PersonRow]
  /// Half of the ids, in random order.
  let deletions: [Int]

  init(count: Int) {
    var random = Generator(seed: 20_240_601)
    rows = (0..<count).map { Self.row($0, &random) }
    extra = (count..<count + 20_000).map { Self.row($0, &random) }
    let sample = max(1, min(100_000, count / 10))
    lookupIDs = (0..<sample).map { [rows] _ in rows[random.below(count)].id }
    lookupNames = (0..<sample).map { [rows] _ in rows[random.below(count)].name }
    var others = Generator(seed: 77)
    manyNames = (0..<10_000).map { [rows] index in
      index % 2 == 0 ? rows[others.below(count)].name : others.letters(21)
    }
    updates = (0..<sample).map { [rows] _ in (rows[random.below(count)].id, random.below(100)) }
    var renamed = Generator(seed: 78)
    nameChanges = (0..<Workload.nameCommits).map { [rows] _ in
      var row = rows[renamed.below(count)]
      row.name = renamed.letters(8 + renamed.below(13))
      return row
    }
    deletions = Array(rows.map(\.id).shuffled(using: &random).prefix(count / 2))
  }

  /// Makes the changes of names while a query for scores below a limit is followed: transactions of `size` changes each, or of as many
  /// as there are matching rows. No two rows get one name, whatever was followed before: peers order such rows differently.
  func followed(_ query: FollowedQuery, size: Int, transactions: Int) -> [[(id: Int, name: String)]] {
    let limit = query.limit
    var ids: [Int] = []
    var index = rows.count / 3
    var left = rows.count
    while ids.count < max(size, transactions), left > 0 {
      if rows[index % rows.count].score < limit { ids.append(rows[index % rows.count].id) }
      index += 37
      left -= 1
    }
    guard !ids.isEmpty else { return [] }
    return (0..<transactions).map { number in
      (0..<min(size, ids.count)).map { place in
        (ids[(number + place) % ids.count], extra[(number * 7 + place) % extra.count].name + query.name)
      }
    }
  }

  private static func row(_ index: Int, _ random: inout Generator) -> PersonRow {
    PersonRow(
      id: index * 3 + 1, name: random.letters(8 + random.below(13)), age: random.below(100), score: score(index),
      active: random.next() & 1 == 1, created: 1_546_300_800 + random.below(6 * 365 * 86_400),
      email: random.letters(9 + random.below(7)) + "@example.com")
  }

  /// A score that no other row has, with 30 significant bits: so every order is total, and every sum is exact and can
  /// be compared between peers however they add.
  private static func score(_ index: Int) -> Double {
    let mask: UInt64 = (1 << 30) - 1
    var word = UInt64(index) & mask
    word = (word &* 0x9E37_79B1) & mask
    word ^= word >> 15
    word = (word &* 0x85EB_CA6B) & mask
    word ^= word >> 13
    return Double(word) / Double(1 << 30)
  }
}
