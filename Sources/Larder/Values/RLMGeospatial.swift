import LarderQuery

/// An area on the globe: `GeoBox`, `GeoPolygon` or `GeoCircle`.
///
/// `places.where { $0.location.geoWithin(area) }` finds embedded objects shaped as points: `type: String` is "Point" and
/// `coordinates: List<Double>` is longitude, latitude and perhaps an altitude, which is not looked at.
public protocol RLMGeospatial {}

/// A geospatial value that queries see as an area.
protocol GeoAreaConvertible: RLMGeospatial {
  var area: GeoArea { get }
}
