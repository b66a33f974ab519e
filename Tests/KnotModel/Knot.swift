import Larder

/// An object with links of every kind to others of its class.
package final class Knot: Object {
  @Persisted(primaryKey: true) package var id: Int
  @Persisted(indexed: true) package var value: Int
  @Persisted package var label: String
  @Persisted package var next: Knot?
  @Persisted package var others: List<Knot>
  @Persisted package var numbers: List<Int>
  @Persisted package var friends: MutableSet<Knot>
  @Persisted package var named: Map<String, Knot?>
  @Persisted package var any: AnyRealmValue
  @Persisted package var part: KnotPart?
  @Persisted(originProperty: "next") package var previous: LinkingObjects<Knot>
  override package class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// The names of stored properties in their order.
  package static let propertyNames = [
    "id", "value", "label", "next", "others", "numbers", "friends", "named", "any", "part",
  ]
}

package final class KnotPart: EmbeddedObject {
  @Persisted package var number: Int
  @Persisted package var link: Knot?
  override package class func shouldIncludeInDefaultSchema() -> Bool { false }
}
