import LarderQuery

/// The points within a great-circle distance of a centre.
public struct GeoCircle: RLMGeospatial, Hashable, Sendable {
  /// The middle.
  public private(set) var center: GeoPoint
  /// The radius.
  public private(set) var radians: Double

  /// Nil for a negative radius, or one that is no number.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// From a place and a radius.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radians = radius.radians
  }

  /// From a pair of latitude and longitude; nil when it is no place, or for a negative radius.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let place = GeoPoint(center) else { return nil }
    self.init(center: place, radiusInRadians: radiusInRadians)
  }

  /// From a pair of latitude and longitude; nil when it is no place.
  public init?(center: (Double, Double), radius: Distance) {
    guard let place = GeoPoint(center) else { return nil }
    self.init(center: place, radius: radius)
  }
}

extension GeoCircle: GeoAreaConvertible {
  var area: GeoArea { .circle(center: center.place, radians: radians) }
}
