import TestSupport

/// A random statement over the tables of `LinkedStore`, about its links.
struct LinkedStatement {
  private(set) var sql = ""
  /// True if the order of its rows is given in full.
  private(set) var isOrdered = false
  private let texts: [String: [String]]
  private let columns: [(name: String, target: String)]

  /// - Parameter isShared: Whether an export has the columns and tables of the statement, too.
  init(_ random: inout SeededRandom, _ texts: [String: [String]], isShared: Bool) {
    self.texts = texts
    let own: [(name: String, target: String)] = [
      ("land", "Land"), ("maker", "Maker"), ("badge", "Badge"), ("street", "Street"), ("label", "Label"),
      ("friend", "Person"),
    ]
    columns = own + (isShared ? [] : [("home_land", "Land"), ("home_street", "Street")])
    let conditions = (0..<random.int(0...2)).map { _ in condition(&random) }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: random.oneIn(4) ? " OR " : " AND ")
    let join = random.pick(["JOIN", "LEFT JOIN"])
    let (column, target) = random.pick(columns)
    let key = Self.key(target)
    switch random.int(0..<9) {
    case 0:
      sql = "SELECT p.id, t.size, p.\(column) FROM Person p \(join) \(target) t ON t.\(key) = p.\(column)\(filter)"
    case 1:
      sql = "SELECT t.size, p.id FROM \(target) t \(join) Person p ON p.\(column) = t.\(key)\(filter)"
    case 2:
      let other = random.oneIn(6) ? random.pick(columns).name : column
      let second = random.oneIn(2) ? "" : " AND q.size = p.size"
      sql = "SELECT p.id, q.id FROM Person p \(join) Person q ON q.\(column) = p.\(other)\(second)\(filter)"
    case 3:
      let own = [
        ("lands", "Land", "position"), ("makers", "Maker", "owner > -1"), ("streets", "Street", "position"),
        ("friends", "Person", "key"),
      ]
      let inner = [("home_lands", "Land", "position"), ("homes_lands", "Land", "homes_position")]
      let (name, target, place) = random.pick(own + (isShared ? [] : inner))
      sql = "SELECT p.id, e.value, e.\(place), t.size FROM Person p \(join) Person_\(name) e ON e.owner = p.rowid "
      sql += "\(join) \(target) t ON t.\(Self.key(target)) = e.value\(filter)"
    case 4:
      sql = "SELECT p.\(column), count(*), sum(p.size) FROM Person p\(filter) GROUP BY 1 ORDER BY 1"
      isOrdered = true
    case 5:
      let order = "p.\(column)\(random.oneIn(2) ? " DESC" : ""), p.id"
      let limit = random.oneIn(2) ? "" : " LIMIT \(random.int(0...20)) OFFSET \(random.int(0...5))"
      sql = "SELECT p.id, p.\(column), typeof(p.\(column)) FROM Person p\(filter) ORDER BY \(order)\(limit)"
      isOrdered = true
    case 6:
      sql = "SELECT p.id, f.maker, l.size, b.size FROM Person p \(join) Person f ON f.id = p.friend "
      sql += "\(join) Land l ON l.id = f.land \(join) Badge b ON b.id = p.badge AND b.land = l.id\(filter)"
    case 7:
      let word = random.pick(["IN", "NOT IN"])
      let more = conditions.isEmpty ? "" : " AND (\(conditions.joined(separator: " OR ")))"
      let all = "SELECT \(key) FROM \(target) WHERE size > 1"
      sql = "SELECT p.id FROM Person p WHERE p.\(column) \(word) (\(all))\(more)"
    default: sql = "SELECT p.id, p.land, p.maker, p.badge, p.street, p.friend FROM Person p\(filter)"
    }
  }

  private static func key(_ target: String) -> String { ["Street", "Label"].contains(target) ? "rowid" : "id" }

  private func condition(_ random: inout SeededRandom) -> String {
    let (column, target) = random.pick(columns)
    let comparison = random.pick(["=", "=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"])
    switch random.int(0..<8) {
    case 0: return "p.\(column) \(random.pick(["IS NULL", "IS NOT NULL"]))"
    case 1: return "p.\(column) IN (\(value(target, &random)), \(value(target, &random)))"
    case 2:
      return "p.land \(random.pick(["LIKE", "GLOB"])) \(random.pick(["'a%'", "'A*'", "'a*'", "'é%'", "'a'", "'_%'"]))"
    case 3: return "p.\(column) BETWEEN \(value(target, &random)) AND \(value(target, &random))"
    case 4: return "p.\(column) \(comparison) p.\(random.pick(["id", "size", "land", "friend", "maker"]))"
    default: return "p.\(column) \(comparison) \(value(target, &random))"
    }
  }

  private func value(_ target: String, _ random: inout SeededRandom) -> String {
    if random.oneIn(8) { return random.pick(["NULL", "x'61'", "'x'", "10", "1e1", "'A' COLLATE NOCASE"]) }
    guard let known = texts[target], !["Person", "Label"].contains(target) else {
      return random.pick(["0", "3", "-30", "6.0", "7.5", "'3'", "'x'", "12", "30"])
    }
    let text = random.pick(known)
    return "'\(random.oneIn(4) ? text.uppercased() : text)'"
  }
}
