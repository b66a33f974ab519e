import Larder

final class Continent: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name: String
}

final class Country: Object {
  @Persisted(primaryKey: true) var iso: String
  @Persisted(indexed: true) var name: String
  @Persisted var capital: String
  @Persisted var population: Int
  @Persisted var continent: Continent?
  @Persisted var neighbours: List<Country>
}

final class Location: EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var longitude: Double
}

final class City: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var population: Int
  @Persisted var timezone: String
  @Persisted var location: Location?
  @Persisted var country: Country?
  @Persisted var alternateNames: List<String>
}
