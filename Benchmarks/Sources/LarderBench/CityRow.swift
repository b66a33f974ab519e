/// One city of the benchmark with links: as many cities and countries as GeoNames has, in countries of very different sizes.
struct CityRow {
  var id: Int
  var name: String
  /// Position of its country.
  var country: Int
}

/// Cities and the names of their countries.
struct CityData {
  static let cityCount = 34_006
  static let countryCount = 252

  let countries: [String]
  let cities: [CityRow]

  init() {
    var random = Generator(seed: 1_866)
    countries = (0..<Self.countryCount).map { "\($0) " + random.letters(4 + random.below(12)) }
    cities = (0..<Self.cityCount).map { index in
      // The smallest of four choices: a few countries have thousands of cities, most have tens.
      let choices = (0..<4).map { _ in random.below(Self.countryCount) }
      return CityRow(id: index + 1, name: random.letters(4 + random.below(14)), country: choices.min() ?? 0)
    }
  }
}
