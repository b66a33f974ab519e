#if Sync
  import LarderSync

  /// A city, as devices share it.
  final class City: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var country: String
    @Persisted var population: Int
    @Persisted var timezone: String
    @Persisted var latitude: Double
    @Persisted var longitude: Double
    @Persisted var alternateNames: List<String>
    /// The number of visits: additions of several devices add up.
    @Persisted var visits: Int
    /// A note of this device's user, which no one else sees.
    @Persisted(localOnly: true) var note: String?
  }

  /// The record in a line of `cities15000.jsonl.gz`.
  struct CityRecord: Decodable {
    var geonameid: Int
    var name: String
    var latitude: Double
    var longitude: Double
    var countrycode: String
    var population: Int
    var timezone: String
    var alternatenames: [String]
  }

  extension City {
    convenience init(_ record: CityRecord) {
      self.init()
      _id = record.geonameid
      name = record.name
      country = record.countrycode
      population = record.population
      timezone = record.timezone
      latitude = record.latitude
      longitude = record.longitude
      alternateNames.append(objectsIn: record.alternatenames)
    }
  }
#endif
