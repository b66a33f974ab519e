import Larder

/// Fills a realm from the fixtures, in one transaction.
struct Import {
  let realm: Realm
  let fixtures: Fixtures
  private(set) var names = 0

  init(into realm: Realm, from fixtures: Fixtures) {
    self.realm = realm
    self.fixtures = fixtures
  }

  mutating func run() throws {
    realm.beginWrite()
    do {
      try addContinents()
      let countries = try addCountries()
      try addCities(countries)
    } catch {
      realm.cancelWrite()
      throw error
    }
    try realm.commitWrite()
  }

  private func addContinents() throws {
    try fixtures.forEach("continents.jsonl", ContinentRecord.self) { record in
      let continent = Continent()
      continent.code = record.continentCode
      continent.name = record.name
      realm.add(continent)
    }
  }

  private func addCountries() throws -> [String: Country] {
    var countries: [String: Country] = [:]
    var neighbours: [(Country, [Substring])] = []
    try fixtures.forEach("countries.jsonl", CountryRecord.self) { record in
      let country = Country()
      country.iso = record.iso
      country.name = record.name
      country.capital = record.capital
      country.population = record.population
      country.continent = realm.object(ofType: Continent.self, forPrimaryKey: record.continentcode)
      realm.add(country)
      countries[record.iso] = country
      neighbours.append((country, record.neighbours.split(separator: ",")))
    }
    // A neighbour may come later in the file, so links wait until all countries are there.
    for (country, codes) in neighbours {
      country.neighbours.append(objectsIn: codes.compactMap { countries[String($0)] })
    }
    return countries
  }

  private mutating func addCities(_ countries: [String: Country]) throws {
    var names = 0
    try fixtures.forEach("cities15000.jsonl.gz", CityRecord.self) { record in
      let city = City()
      city.id = record.geonameid
      city.name = record.name
      city.population = record.population
      city.timezone = record.timezone
      city.country = countries[record.countrycode]
      let location = Location()
      location.latitude = record.latitude
      location.longitude = record.longitude
      city.location = location
      city.alternateNames.append(objectsIn: record.alternatenames)
      names += record.alternatenames.count
      realm.add(city)
    }
    self.names = names
  }
}
