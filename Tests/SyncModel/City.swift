import LarderSync

/// The class of Fixtures/sync/schema.json.
package final class City: Object {
  @Persisted(primaryKey: true) package var _id: Int
  @Persisted package var name: String
  @Persisted package var country: String
  @Persisted package var population: Int
  @Persisted package var timezone: String
  @Persisted package var latitude: Double
  @Persisted package var longitude: Double
  @Persisted package var alternateNames: List<String>
  @Persisted package var visits: Int

  package convenience init(_ id: Int, _ name: String, _ country: String) {
    self.init()
    _id = id
    self.name = name
    self.country = country
  }

  /// The properties of a city, as text.
  package var content: String {
    "\(_id) \(name) \(country) \(population) \(timezone) \(visits) \(Array(alternateNames))"
  }
}
