/// Names of tables and columns, which SQLite tells apart without regard to the case of ASCII letters.
struct SQLName {
  private var taken: Set<String> = []

  /// The name, with a number after it when it is taken or SQLite keeps it for itself.
  mutating func new(_ wanted: String) -> String {
    let base = Self.key(wanted).hasPrefix("sqlite_") ? "_" + wanted : wanted
    var name = base
    var number = 2
    while !taken.insert(Self.key(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  /// The name in a statement.
  static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  private static func key(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
        }))
  }
}
