import Larder

final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var group: Int
  @Persisted var score: Double
  @Persisted var name: String
  @Persisted var next: Item?
  @Persisted var words: List<String>
}
