import Larder

/// An object with links of every kind to others of its class.
final class Knot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var value: Int
  @Persisted var label: String
  @Persisted var next: Knot?
  @Persisted var others: List<Knot>
  @Persisted var numbers: List<Int>
  @Persisted var friends: MutableSet<Knot>
  @Persisted var named: Map<String, Knot?>
  @Persisted var any: AnyRealmValue
  @Persisted var part: KnotPart?
  @Persisted(originProperty: "next") var previous: LinkingObjects<Knot>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// The names of stored properties in their order.
  static let propertyNames = ["id", "value", "label", "next", "others", "numbers", "friends", "named", "any", "part"]
}

final class KnotPart: EmbeddedObject {
  @Persisted var number: Int
  @Persisted var link: Knot?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
