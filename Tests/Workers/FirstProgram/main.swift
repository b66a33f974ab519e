// The program of README.md and of the article Getting started, word for word. It is run in an empty folder.
// begin: readme
// begin: first-model
import Foundation
import Larder

class City: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var population: Int
  @Persisted var alternateNames: List<String>
}
// end: first-model

// begin: first-write
let realm = try Realm(fileURL: URL(fileURLWithPath: "cities.larder"))
try realm.write {
  let lisbon: [String: Any] = [
    "id": 1, "name": "Lisboa", "population": 517_802, "alternateNames": ["Lisbon", "リスボン"],
  ]
  realm.create(City.self, value: lisbon, update: .modified)
}
// end: first-write

// begin: first-query
let large = realm.objects(City.self)
  .filter("population > 500000 AND ANY alternateNames == 'Lisbon'")
  .sorted(byKeyPath: "name")
print(large.count, large.first?.name ?? "none")
// end: first-query

// begin: first-observer
let token = large.observe { changes in
  if case .update(let cities, _, let inserted, _) = changes {
    print("new:", inserted.map { cities[$0].name })
  }
}
// end: first-observer
// end: readme
