import Foundation
import LarderSync

/// The object that rows send: ten properties, of which one is a list.
final class Item: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var group: Int
  @Persisted var name: String
  @Persisted var note: String
  @Persisted var count: Int
  @Persisted var amount: Double
  @Persisted var isDone: Bool
  @Persisted var changed: Date
  @Persisted var stamp: Int
  @Persisted var tags: List<String>

  convenience init(_ id: Int) {
    self.init()
    _id = id
    group = id % 10
    name = "item number \(id)"
    note = "what is to be done with it, in some words: \(id &* 7919)"
    count = id
    amount = Double(id) / 3
    changed = Date(timeIntervalSince1970: Double(1_700_000_000 + id))
    tags.append(objectsIn: ["a", "b"])
  }

  /// The values of an object: its properties and the elements of its list.
  static let values = 11
}
