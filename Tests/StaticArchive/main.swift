import Foundation
import Larder
import Models

// A program that finds its classes by itself, two of them in a static archive, and asks what is looked up at run time alone.

class Local: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var counts: Map<String, Int>
  @Persisted var prices: MutableSet<Decimal128>
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("static-archive-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: folder.appendingPathComponent("a.larder"))
let realm = try Realm()
try realm.write {
  realm.create(Dog.self, value: ["id": 1, "name": "Rex", "tags": ["a", "b"], "collar": ["color": "red"]])
  realm.create(Local.self, value: ["any": 3, "counts": ["a": 1], "prices": [Decimal128(1)]] as [String: Any])
}
let classes = realm.schema.objectSchema.map(\.className).sorted()
let dogs = realm.objects(Dog.self)
let found = [
  dogs.filter("name == 'Rex' AND collar.color == %@", "red").count, dogs.where { $0.tags.contains("b") }.count,
  dogs.filter(#Predicate<Dog> { $0.name == "Rex" && $0.id < 2 }).count, realm.objects(Local.self).count,
]
print(classes.joined(separator: " "), found.map { String($0) }.joined())
