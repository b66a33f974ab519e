import Larder

final class Counted: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var name: String
  @Persisted var score: Double
  @Persisted var numbers: List<Int>
}
