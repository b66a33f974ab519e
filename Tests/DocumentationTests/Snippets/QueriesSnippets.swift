import Foundation
import Larder
import TestSupport
import Testing

@Suite("Queries and indexes, by its examples") struct QueriesSnippets {
  // begin: model
  class City: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted(indexed: true) var population: Int
    @Persisted(indexed: .fullText) var about: String
    @Persisted var country: Country?
    @Persisted var names: List<String>
  }

  class Country: Object {
    @Persisted(primaryKey: true) var iso: String
    @Persisted(indexed: true) var name: String
    @Persisted(originProperty: "country") var cities: LinkingObjects<City>
  }
  // end: model

  private let directory: TemporaryDirectory
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("world.larder"), objectTypes: [City.self, Country.self]))
    let realm = realm
    try realm.write {
      let japan = realm.create(Country.self, value: ["iso": "JP", "name": "Japan"])
      let portugal = realm.create(Country.self, value: ["iso": "PT", "name": "Portugal"])
      let rows: [(Int, String, Int, String, Country, [String])] = [
        (1, "Tokyo", 8_336_599, "capital on a wide bay", japan, ["東京", "Tokio"]),
        (2, "Osaka", 2_592_413, "harbour, castle and food", japan, ["大阪"]),
        (3, "Lisboa", 517_802, "capital on the river, with trams", portugal, ["Lisbon"]),
        (4, "Porto", 249_633, "harbour on the river, with bridges", portugal, ["Oporto"]),
      ]
      for (id, name, population, about, country, names) in rows {
        realm.create(
          City.self,
          value: [
            "id": id, "name": name, "population": population, "about": about, "country": country, "names": names,
          ] as [String: Any])
      }
    }
  }

  @Test func languages() throws {
    // begin: languages
    let cities = realm.objects(City.self)
    let limit = 1_000_000

    let byFormat = cities.filter("population > %@ AND name BEGINSWITH[c] 'to'", limit)
    let bySwift = cities.where {
      $0.population > limit && $0.name.starts(with: "to", options: .caseInsensitive)
    }
    let byFoundation = cities.filter(#Predicate { $0.population > limit && $0.name.starts(with: "To") })
    let byRQL = cities.filter(rql: "population > $0 AND name BEGINSWITH[c] 'to'", limit)
    // end: languages
    for found in [byFormat, bySwift, byFoundation, byRQL] { #expect(found.map(\.id) == [1]) }
  }

  @Test func computing() throws {
    let cities = realm.objects(City.self)
    // begin: computing
    let bySwift = cities.where {
      $0.population / 1000 > $0.name.length * 100 && $0.name.uppercased().contains("O")
    }
    let byFoundation = cities.filter(#Predicate { $0.population / 1000 > $0.name.unicodeScalars.count * 100 })
    let byFormat = cities.filter("population / 1000 > length(name) * 100 AND uppercase(name) CONTAINS 'O'")
    // end: computing
    for found in [bySwift, byFoundation, byFormat] { #expect(found.map(\.id) == [1, 2]) }
  }

  @Test func faults() throws {
    let typed = "poulation > 5"
    // begin: faults
    do {
      let found = try realm.objects(City.self).throwing.filter(typed)
      print(found.count)
    } catch {
      print(error.message)
      if let fault = error.predicateFault { print(fault.position ?? 0, fault.suggestion ?? "") }
    }
    // end: faults
    let error = #expect(throws: Realm.Error.self) { try realm.objects(City.self).throwing.filter(typed) }
    #expect(error?.predicateFault?.position == 0 && error?.predicateFault?.suggestion == "population")
  }

  @Test func search() throws {
    // begin: search
    let notes = realm.objects(City.self)
    let best = notes.where { $0.about.fullText("harbour OR river -trams") }.sortedByRelevance()
    let capitals = notes.filter("about TEXT %@", "\"capital on\"")
    // end: search
    #expect(Set(best.map(\.id)) == [2, 4] && best.first?.id == 4 && capitals.map(\.id) == [1, 3])
  }

  @Test func groups() throws {
    // begin: groups
    let groups = try realm.objects(City.self)
      .grouped(by: [\.country?.name], .sum(\City.population), .max(\City.population))
    for group in groups {
      print(group.key.stringValue ?? "nowhere", group.count, group[.sum("population")].intValue ?? 0)
    }
    // end: groups
    #expect(groups.map { $0.key.stringValue } == ["Japan", "Portugal"])
    #expect(
      groups[1][.sum("population")].intValue == 767_435 && groups[0][.max(\City.population)].intValue == 8_336_599)
  }

  @Test func pages() throws {
    // begin: pages
    let sorted = realm.objects(City.self).sorted(byKeyPath: "population", ascending: false)
    let first = sorted.limit(2)
    guard let last = first.last else { return }
    let second = try sorted.after(last).limit(2)

    let address = try sorted.cursor(behind: last).description
    if let cursor = ResultsCursor(address) {
      print(try sorted.after(cursor).limit(2).map(\.name))
    }
    // end: pages
    #expect(first.map(\.name) == ["Tokyo", "Osaka"] && second.map(\.name) == ["Lisboa", "Porto"])
    let cursor = try #require(ResultsCursor(address))
    #expect(try sorted.after(cursor).limit(2).map(\.name) == ["Lisboa", "Porto"])
  }

  @Test func sorting() throws {
    // begin: sorting
    let byCountry = realm.objects(City.self).sorted(by: [
      SortDescriptor(keyPath: "country.name"),
      SortDescriptor(keyPath: "population", ascending: false),
    ])
    let asReadersExpect = realm.objects(City.self)
      .sorted(by: [SortDescriptor(keyPath: "name", ascending: true, collation: .locale("pt"))])
    let bySize = realm.objects(Country.self).sorted(byKeyPath: "cities.@count", ascending: false)
    // end: sorting
    #expect(byCountry.map(\.id) == [1, 2, 3, 4] && asReadersExpect.map(\.id) == [3, 2, 4, 1] && bySize.count == 2)
  }

  @Test func aggregates() throws {
    // begin: aggregates
    let cities = realm.objects(City.self).filter("country.iso == 'PT'")
    let people: Int = cities.sum(of: \.population)
    let largest: Int? = cities.max(of: \.population)
    let mean: Double? = cities.average(ofProperty: "population")
    // end: aggregates
    #expect(people == 767_435 && largest == 517_802 && mean == 383_717.5)
  }

  @Test func plan() throws {
    // begin: plan
    let found = realm.objects(City.self).filter("name == 'Porto' AND population > 1000")
    print(try found.explain())
    // end: plan
    let plan = try found.explain()
    #expect(plan.root.rows == 1 && plan.description.contains("name == 'Porto'"), "\(plan)")
  }
}
