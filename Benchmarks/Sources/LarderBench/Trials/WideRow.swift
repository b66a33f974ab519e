/// An object of a hundred properties: its id, 49 integers, 30 doubles and 20 strings.
struct WideRow {
  static let (integerCount, doubleCount, textCount) = (49, 30, 20)

  var id: Int
  var integers: [Int]
  var doubles: [Double]
  var texts: [String]

  init(_ id: Int, _ random: inout Generator) {
    self.id = id
    integers = (0..<Self.integerCount).map { _ in random.below(10_000) }
    doubles = (0..<Self.doubleCount).map { _ in Double(random.below(1 << 30)) / 1_024 }
    texts = (0..<Self.textCount).map { _ in random.letters(6 + random.below(8)) }
  }

  /// The columns of the peers that have tables.
  static let columns =
    ["id"] + (0..<integerCount).map { "i\($0)" } + (0..<doubleCount).map { "d\($0)" } + (0..<textCount).map { "t\($0)" }

  static let createTable =
    "CREATE TABLE wide (id INTEGER PRIMARY KEY, "
    + columns.dropFirst().map { "\($0) \(["i": "INTEGER", "d": "REAL"][$0.prefix(1)] ?? "TEXT") NOT NULL" }
    .joined(separator: ", ") + ")"
}
