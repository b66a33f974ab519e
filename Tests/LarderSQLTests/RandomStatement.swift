import TestSupport

/// A random statement over the tables of `ShopStore`, whose rows come in an order that it says.
struct RandomStatement {
  let sql: String
  /// True if the order of its rows is given in full.
  let isOrdered: Bool

  init(_ random: inout SeededRandom) {
    let conditions = (0..<random.int(0...3)).map { _ in Self.condition(&random) }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: random.oneIn(4) ? " OR " : " AND ")
    switch random.int(0..<10) {
    case 0:
      sql = "SELECT count(*), sum(count), max(name), min(price), avg(count) FROM Item i\(filter)"
      isOrdered = true
    case 1:
      let key = random.pick(["name", "sold", "day", "shop", "count"])
      sql = "SELECT \(key), count(*), sum(price) FROM Item i\(filter) GROUP BY \(key) ORDER BY \(key)"
      isOrdered = true
    case 2:
      let join = random.pick(["JOIN", "LEFT JOIN"])
      sql = "SELECT i.id, s.town FROM Item i \(join) Shop s ON s.rowid = i.shop\(filter) ORDER BY i.id"
      isOrdered = true
    case 3:
      sql = "SELECT i.id, t.position, t.value FROM Item i JOIN Item_tags t ON t.owner = i.rowid\(filter)"
      isOrdered = false
    case 4:
      sql = "SELECT DISTINCT \(random.pick(["name", "count", "box_color", "day"])) FROM Item i\(filter)"
      isOrdered = false
    case 5:
      // More than one scan of the same table by value.
      let columns = ["name", "count", "price", "weight", "sold", "day", "shop", "id", "box_color", "picture"]
      let pairs = (0..<random.int(1...2)).map { _ in
        let column = random.pick(columns)
        return "j.\(column) = i.\(random.oneIn(5) ? random.pick(columns) : column)"
      }
      let rest = random.oneIn(3) ? " AND j.count > \(random.pick(["0", "i.weight"]))" : ""
      sql =
        "SELECT i.id, j.id FROM Item i \(random.pick(["JOIN", "LEFT JOIN"])) Item j ON \(pairs.joined(separator: " AND "))\(rest)\(filter)"
      isOrdered = false
    case 6:
      let table = random.pick(["Item_box_notes", "Item_parts", "Item_parts_marks", "Item_parts_box_notes"])
      let join = random.pick(["JOIN", "LEFT JOIN"])
      sql = "SELECT i.id, t.* FROM Item i \(join) \(table) t ON t.owner = i.rowid\(filter)"
      isOrdered = false
    case 7:
      let order = random.pick(["i.rowid", "i.rowid DESC", "i.name, i.rowid", "i.rowid DESC, i.name"])
      let limit = random.oneIn(3) ? "" : " LIMIT \(random.int(0...9)) OFFSET \(random.int(0...3))"
      let bounds = (0..<random.int(1...2)).map { _ in Self.rowCondition(&random) }
      let all = (bounds + conditions).joined(separator: random.oneIn(5) ? " OR " : " AND ")
      sql = "SELECT i.rowid, i.id, i.day FROM Item i WHERE \(all) ORDER BY \(order)\(limit)"
      isOrdered = true
    default:
      let keys = ["name", "count", "price", "weight", "sold", "day", "picture", "box_width", "name COLLATE NOCASE"]
      let order = (0..<random.int(0...2)).map { _ in random.pick(keys) + (random.oneIn(2) ? " DESC" : "") } + ["id"]
      let keysOrRow = random.oneIn(4) ? ["i.rowid"] : order
      let limit =
        random.oneIn(2) ? "" : " LIMIT \(random.int(0...20))" + (random.oneIn(2) ? "" : " OFFSET \(random.int(0...5))")
      sql =
        "SELECT id, name, count, price, any, box_color FROM Item i\(filter) ORDER BY \(keysOrRow.joined(separator: ", "))\(limit)"
      isOrdered = true
    }
  }

  private static func condition(_ random: inout SeededRandom) -> String {
    let comparison = random.pick(["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"])
    switch random.int(0..<21) {
    case 18: return "i.box_width \(comparison) \(random.pick(["0", "1", "2.0", "1.5", "3", "'1'", "'x'", "NULL"]))"
    case 19: return "i.box_color \(comparison) \(random.pick(["'red'", "'blue'", "'green'", "''", "7", "NULL"]))"
    case 20: return "i.shop \(comparison) \(random.pick(["0", "1", "4", "2.0", "-1", "'3'", "'x'", "NULL"]))"
    case 0, 1:
      let numbers = ["0", "3", "-2", "2.5", "3.0", "-2.0", "1e0", "1e300", "'3'", "'x'", "NULL", "1+1"]
      return "i.count \(comparison) \(random.pick(numbers))"
    case 2, 3:
      return "i.name \(comparison) \(random.pick(["'a'", "'ab'", "''", "'b'", "3", "NULL", "'A' COLLATE NOCASE"]))"
    case 4: return "i.price \(comparison) \(random.pick(["0", "1.5", "-2.0", "9e999", "NULL", "'7'"]))"
    case 5: return "i.weight \(comparison) \(random.pick(["0.5", "0", "0.1", "-3"]))"
    case 6: return "i.sold \(comparison) \(random.pick(["0", "1", "1.0", "2", "TRUE"]))"
    case 7:
      let days = [
        "'2013-01-01'", "'2013-01-01 12:00'", "'2013-01-01 12:00:00'", "'2013-01-01 12:00:00.5'", "'2013'", "'x'",
      ]
      return "i.day \(comparison) \(random.pick(days))"
    case 8: return "i.name LIKE \(random.pick(["'a%'", "'A_'", "'%b'", "'é%'", "'a'"]))"
    case 9: return "i.name GLOB \(random.pick(["'a*'", "'A?'", "'*b'", "'é*'", "'Ab[*]'"]))"
    case 10:
      return
        "i.\(random.pick(["name", "count", "price", "weight", "day", "any", "shop", "box_width", "id", "sold"])) \(random.pick(["IS NULL", "IS NOT NULL"]))"
    case 11: return "i.id IN (3, 6, 9, \(random.int(0...600)))"
    case 12: return "i.count BETWEEN \(random.int(-5...0)) AND \(random.int(-1...5))"
    case 13: return rowCondition(&random)
    case 14: return "i.rowid = \(random.pick(["'7'", "7.0", "' 7 '", "'x'", "7.5", "NULL", "i.count", "x'37'"]))"
    case 15:
      return "i.\(random.pick(["count", "name", "price"])) \(comparison) i.\(random.pick(["id", "count", "weight"]))"
    case 16: return "i.count IN (\(random.int(-5...5)), \(random.pick(["2.5", "3.0", "'4'", "'x'", "NULL"])))"
    default:
      let days = ["'2013-01-01'", "'2013-01-01 00:00:00'", "'2013-01-01 12:00:00.50'", "'x'"]
      return "i.day IN (\(random.pick(days)), '2013-01-01 12:00:00')"
    }
  }

  private static func rowCondition(_ random: inout SeededRandom) -> String {
    if random.oneIn(5) { return "i.rowid BETWEEN \(random.int(-5...150)) AND \(random.int(50...210))" }
    let comparison = random.pick(["=", "<>", "<", "<=", ">", ">=", "IS"])
    let values = [
      "-1", "7.5", "7.0", "-0.5", "1e2", "1e300", "-1e300", "9e18", "'7'", "' 7 '", "'x'", "NULL", "x'37'", "i.count",
      "100+7",
    ]
    return "i.rowid \(comparison) \(random.oneIn(3) ? random.pick(values) : String(random.int(0...200)))"
  }
}
