import Larder

final class Entry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var text: String
  @Persisted var parts: List<String>
}
