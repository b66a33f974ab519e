import Foundation
import Larder

public struct LegacyFailure: Error, CustomStringConvertible {
  public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
  if value != expected { throw LegacyFailure(description: "LegacyChecks, line \(line): \(value) and not \(expected)") }
}

public enum LegacyChecks {
  public static func run() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "legacy", objectTypes: [Place.self, Visit.self])
    let realm = try Realm(configuration: configuration)
    let place = Place(id: 1, name: "Harbour")
    place.rating = 4
    realm.save(place)
    realm.save([Place(id: 2, name: "Mill")], isNew: true)
    try realm.write {
      realm.add(Place(id: 1, name: "Old harbour"), update: .all)
      realm.create(Place.self, value: ["id": 3, "name": "Tower"], update: .error)
      let visit = Visit(date: Date(timeIntervalSince1970: 1_000_000_000), note: " at noon ".trimmingCharacters(in: .whitespaces))
      realm.objects(Place.self).filter("id == 1").first?.visits.append(visit)
    }
    let first = realm.object(ofType: Place.self, forPrimaryKey: 1)
    try expect(realm.objects(Place.self).count, 3)
    try expect(first?.name, "Old harbour")
    try expect(first?.visitCount, 1)
    try expect(first?.visits.first?.note, "at noon")
    try expect(first?.visits.first.map { RLMVisitFormatter().year(of: $0) }, "2001")
    try expect(first?.filledNames.contains("name"), true)
  }
}
