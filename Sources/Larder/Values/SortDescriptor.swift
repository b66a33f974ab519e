import LarderQuery

/// A key path to sort by, and the direction.
///
/// Key paths lead over to-one links (`"dog.age"`), into maps (`"prices[EUR]"`) and to one number over a collection
/// (`"dogs.@count"`, `"dogs.@max.age"`).
public struct SortDescriptor: Sendable {
  /// The key path to sort by.
  public let keyPath: String
  /// A Boolean value that says whether the smallest comes first.
  public let ascending: Bool
  /// The order of text; other values have one order only.
  public let collation: Collation

  /// The order of text in a sort (U-11).
  public struct Collation: Hashable, Sendable {
    let text: TextCollation

    /// By Unicode code points: "B" before "a". RealmSwift knows no other.
    public static let codePoints = Collation(text: .binary)
    /// Upper and lower case together: "a" before "B".
    public static let caseInsensitive = Collation(text: .folded(.caseInsensitive))
    /// Upper and lower case, and letters with and without accents, together.
    public static let caseAndDiacriticInsensitive = Collation(
      text: .folded([.caseInsensitive, .diacriticInsensitive]))

    /// The order that readers of a language expect: `.locale("sv")` sorts "ö" after "z". Slower than the others.
    public static func locale(_ identifier: String) -> Collation { Collation(text: .locale(identifier)) }
  }

  /// Sorts by a key path; text by code points.
  public init(keyPath: String, ascending: Bool = true) {
    self.init(keyPath: keyPath, ascending: ascending, collation: .codePoints)
  }

  /// Sorts by a key path, text as the collation says.
  public init(keyPath: String, ascending: Bool = true, collation: Collation) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.collation = collation
  }

  /// The same path in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending, collation: collation)
  }
}

extension SortDescriptor: CustomStringConvertible {
  public var description: String {
    let order = collation == .codePoints ? "" : ", collation: \(collation.text)"
    return "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending")\(order))"
  }
}

extension SortDescriptor: Equatable {
  public static func == (lhs: SortDescriptor, rhs: SortDescriptor) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.ascending == rhs.ascending && lhs.collation == rhs.collation
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
