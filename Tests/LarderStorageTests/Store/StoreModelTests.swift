import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Random changes of a graph of cities, countries and embedded locations, compared with plain Swift values after each
/// transaction, with every structure checked.
@Suite struct StoreModelTests {
  struct City {
    var name = ""
    var population: Int64?
    var names: [String] = []
    var country: ObjectKey?
    var location: ObjectKey?
  }

  struct Country {
    var neighbours: [ObjectKey] = []
    var places: [ObjectKey] = []
  }

  struct Model {
    var cities: [ObjectKey: City] = [:]
    var cityIDs: [Int64: ObjectKey] = [:]
    var countries: [ObjectKey: Country] = [:]
    var countryCodes: [String: ObjectKey] = [:]
    var locations: [ObjectKey: Double] = [:]
  }

  @Test(arguments: [8, 496]) func randomChangesAgreeWithTheModel(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try StoreFixture(clusterSize: clusterSize)
    var model = Model()
    for round in 0..<40 {
      let before = model
      let writer = try fixture.store.beginWrite()
      if random.oneIn(3) { writer.decodedLimit = 20_000 }
      for _ in 0..<random.int(1...60) { try step(writer, &model, &random) }
      if random.oneIn(5) { try compare(writer, model) }
      if random.oneIn(6) {
        writer.cancel()
        model = before
      } else {
        try writer.commit()
      }
      let snapshot = try fixture.store.snapshot()
      try compare(snapshot, model)
      if round % 4 == 0 {
        let problems = try StoreVerifier.verify(snapshot)
        #expect(problems.isEmpty, "seed \(random.seed), round \(round): \(problems.prefix(5))")
        if !problems.isEmpty { return }
      }
    }
  }

  private func ids(_ reader: any StoreReader) -> (ClassDescriptor, ClassDescriptor, ClassDescriptor) {
    (reader.schema["City"]!, reader.schema["Country"]!, reader.schema["Location"]!)
  }

  private func step(_ writer: StoreWriter, _ model: inout Model, _ random: inout SeededRandom) throws {
    let (city, country, location) = ids(writer)
    let cityKeys = model.cities.keys.sorted()
    let countryKeys = model.countries.keys.sorted()
    switch random.int(0..<14) {
    case 0, 1, 2:
      let id = Int64(random.int(0..<300))
      if model.cityIDs[id] != nil {
        #expect(throws: StorageError.self) { try writer.create(city.id, primaryKey: id) }
      } else {
        let key = try writer.create(city.id, primaryKey: id)
        model.cityIDs[id] = key
        model.cities[key] = City()
      }
    case 3:
      let code = random.string(maxLength: 3)
      if model.countryCodes[code] == nil {
        let key = try writer.create(country.id, primaryKey: .string(code))
        model.countryCodes[code] = key
        model.countries[key] = Country()
      }
    case 4 where !cityKeys.isEmpty:
      let key = random.pick(cityKeys)
      let name = random.oneIn(8) ? random.string(maxLength: 3_000) : random.string()
      try writer.setString(city.id, city.column(named: "name")!.id, key, name)
      model.cities[key]!.name = name
    case 5 where !cityKeys.isEmpty:
      let key = random.pick(cityKeys)
      let value: Int64? = random.oneIn(3) ? nil : Int64(random.int(0..<40))
      try writer.set(
        city.id, city.column(named: "population")!.id, key, value.map { .int($0) } ?? .null)
      model.cities[key]!.population = value
    case 6 where !cityKeys.isEmpty:
      let key = random.pick(cityKeys)
      let link = random.oneIn(4) ? nil : countryKeys.randomElement(using: &random)
      try writer.set(city.id, city.column(named: "country")!.id, key, link.map { .link($0) } ?? .null)
      model.cities[key]!.country = link
    case 7 where !cityKeys.isEmpty:
      let key = random.pick(cityKeys)
      if let old = model.cities[key]!.location { model.locations[old] = nil }
      let column = city.column(named: "location")!.id
      if random.oneIn(4) {
        try writer.set(city.id, column, key, .null)
        model.cities[key]!.location = nil
      } else {
        let made = try writer.createEmbedded(in: city.id, column, key)
        try writer.setDouble(location.id, location.column(named: "latitude")!.id, made, 1.5)
        model.cities[key]!.location = made
        model.locations[made] = 1.5
      }
    case 8 where !cityKeys.isEmpty: try editNames(writer, &model, random.pick(cityKeys), &random)
    case 9 where !countryKeys.isEmpty:
      let key = random.pick(countryKeys)
      let column = country.column(named: "neighbours")!.id
      let count = model.countries[key]!.neighbours.count
      if count > 0, random.oneIn(3) {
        let at = random.int(0..<count)
        try writer.lists.remove(country.id, column, key, at..<at + 1)
        model.countries[key]!.neighbours.remove(at: at)
      } else {
        let at = random.int(0...count)
        let linked = random.pick(countryKeys)
        try writer.lists.insert(country.id, column, key, at: at, [.link(linked)])
        model.countries[key]!.neighbours.insert(linked, at: at)
      }
    case 10 where !countryKeys.isEmpty:
      let key = random.pick(countryKeys)
      let column = country.column(named: "places")!.id
      let count = model.countries[key]!.places.count
      if count > 0, random.oneIn(2) {
        let at = random.int(0..<count)
        try writer.lists.remove(country.id, column, key, at..<at + 1)
        model.locations[model.countries[key]!.places.remove(at: at)] = nil
      } else {
        let at = random.int(0...count)
        let made = try writer.insertEmbedded(in: country.id, column, key, at: at)
        model.countries[key]!.places.insert(made, at: at)
        model.locations[made] = 0
      }
    case 11 where !cityKeys.isEmpty && random.oneIn(2):
      let key = random.pick(cityKeys)
      try writer.delete(city.id, key)
      if let old = model.cities[key]!.location { model.locations[old] = nil }
      model.cities[key] = nil
      model.cityIDs = model.cityIDs.filter { $0.value != key }
    case 12 where !countryKeys.isEmpty && random.oneIn(3):
      let key = random.pick(countryKeys)
      try writer.delete(country.id, key)
      for place in model.countries[key]!.places { model.locations[place] = nil }
      model.countries[key] = nil
      model.countryCodes = model.countryCodes.filter { $0.value != key }
      for other in countryKeys { model.countries[other]?.neighbours.removeAll { $0 == key } }
      for other in cityKeys where model.cities[other]!.country == key { model.cities[other]!.country = nil }
    case 13 where !model.locations.isEmpty && random.oneIn(3):
      let key = random.pick(model.locations.keys.sorted())
      try writer.delete(location.id, key)
      model.locations[key] = nil
      for other in cityKeys where model.cities[other]!.location == key { model.cities[other]!.location = nil }
      for other in countryKeys { model.countries[other]!.places.removeAll { $0 == key } }
    default: break
    }
  }

  private func editNames(
    _ writer: StoreWriter, _ model: inout Model, _ key: ObjectKey, _ random: inout SeededRandom
  ) throws {
    let city = writer.schema["City"]!
    let column = city.column(named: "names")!.id
    var names = model.cities[key]!.names
    switch names.isEmpty ? 0 : random.int(0..<5) {
    case 0:
      let at = random.int(0...names.count)
      let new = (0..<random.int(1...4)).map { _ in random.string() }
      try writer.lists.insert(city.id, column, key, at: at, new.map { .string($0) })
      names.insert(contentsOf: new, at: at)
    case 1:
      let at = random.int(0..<names.count)
      try writer.lists.set(city.id, column, key, at: at, .string("set"))
      names[at] = "set"
    case 2:
      let from = random.int(0..<names.count)
      let to = random.int(0..<names.count)
      try writer.lists.move(city.id, column, key, from: from, to: to)
      names.insert(names.remove(at: from), at: to)
    case 3:
      let low = random.int(0..<names.count)
      let high = random.int(low...names.count)
      try writer.lists.remove(city.id, column, key, low..<high)
      names.removeSubrange(low..<high)
    default:
      try writer.lists.assign(city.id, column, key, [.string("only")])
      names = ["only"]
    }
    model.cities[key]!.names = names
  }

  private func compare(_ reader: any StoreReader, _ model: Model) throws {
    let (city, country, location) = ids(reader)
    #expect(try reader.count(of: city.id) == model.cities.count)
    #expect(try reader.count(of: country.id) == model.countries.count)
    #expect(try reader.count(of: location.id) == model.locations.count)
    for (key, expected) in model.cities {
      let value = { (name: String) in try reader.value(city.id, city.column(named: name)!.id, key) }
      #expect(try value("name") == .string(expected.name))
      #expect(try value("population") == (expected.population.map { .int($0) } ?? .null))
      #expect(try value("country") == (expected.country.map { .link($0) } ?? .null))
      #expect(try value("location") == (expected.location.map { .link($0) } ?? .null))
      let list = try reader.list(city.id, city.column(named: "names")!.id, key)
      #expect(try (0..<list.count).map { try list.value(at: $0) } == expected.names.map { .string($0) })
    }
    for (key, expected) in model.countries {
      for (name, keys) in [("neighbours", expected.neighbours), ("places", expected.places)] {
        let list = try reader.list(country.id, country.column(named: name)!.id, key)
        #expect(try (0..<list.count).map { try list.value(at: $0) } == keys.map { .link($0) })
      }
    }
    for (id, key) in model.cityIDs { #expect(try reader.object(city.id, primaryKey: .int(id)) == key) }
    for (code, key) in model.countryCodes { #expect(try reader.object(country.id, primaryKey: .string(code)) == key) }
    for (key, latitude) in model.locations {
      #expect(
        try reader.value(location.id, location.column(named: "latitude")!.id, key) == .double(latitude))
    }
    let index = try #require(try reader.index(city.id, city.column(named: "population")!.id))
    for value in 0..<40 {
      let expected = model.cities.filter { $0.value.population == Int64(value) }.keys.sorted()
      #expect(try index.keys(equalTo: .int(Int64(value))) == expected)
    }
  }
}
