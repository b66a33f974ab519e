import Larder

/// The three queries of the demo.
struct Queries {
  let realm: Realm

  /// Answered from the index of `name`.
  func byName() {
    let cities = realm.objects(City.self).filter("name == %@", "Springfield").sorted(
      byKeyPath: "population", ascending: false)
    Console.query(#"name == "Springfield", largest first   (indexed)"#, count: cities.count)
    for city in cities.prefix(3) { Console.city(city) }
  }

  /// Follows two links from each city.
  func overLinks() {
    let cities = realm.objects(City.self)
      .filter(#"country.continent.name == "Oceania" AND population > 1000000"#)
      .sorted(byKeyPath: "population", ascending: false)
    Console.query(#"country.continent.name == "Oceania" AND population > 1000000   (over links)"#, count: cities.count)
    for city in cities.prefix(3) { Console.city(city) }
    let neighbours = realm.objects(Country.self).filter("ANY neighbours.iso == %@", "DE").sorted(byKeyPath: "name")
    Console.line("  ANY neighbours.iso == \"DE\": \(neighbours.map(\.name).joined(separator: ", "))")
  }

  /// Looks into the lists of alternate names.
  func byAlternateName() {
    let cities = realm.objects(City.self).filter("ANY alternateNames == %@", "東京")
    Console.query(#"ANY alternateNames == "東京""#, count: cities.count)
    for city in cities { Console.city(city, names: 12) }
  }
}
