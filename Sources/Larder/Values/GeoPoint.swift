import LarderQuery

/// A place on the globe, in degrees.
public struct GeoPoint: Hashable, Sendable {
  /// Degrees north of the equator.
  public private(set) var latitude: Double
  /// Degrees east of Greenwich.
  public private(set) var longitude: Double
  /// Kept, but not used in queries.
  public private(set) var altitude: Double

  /// Nil unless the latitude is in -90...90 and the longitude in -180...180.
  public init?(latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude, altitude: 0)
  }

  /// Nil unless the latitude is in -90...90, the longitude in -180...180, and the altitude is not negative.
  public init?(latitude: Double, longitude: Double, altitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  init?(_ pair: (Double, Double)) { self.init(latitude: pair.0, longitude: pair.1) }

  var place: GeoArea.Point { GeoArea.Point(longitude: longitude, latitude: latitude) }
}
