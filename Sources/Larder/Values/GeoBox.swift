import LarderQuery

/// The area between two parallels and two meridians, the borders included.
public struct GeoBox: RLMGeospatial, Hashable, Sendable {
  /// The south-western corner.
  public private(set) var bottomLeft: GeoPoint
  /// The north-eastern corner; where it is west of the other, the box crosses the 180th meridian.
  public private(set) var topRight: GeoPoint

  /// From two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// From pairs of latitude and longitude; nil when one is no place.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let southWest = GeoPoint(bottomLeft), let northEast = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: southWest, topRight: northEast)
  }
}

extension GeoBox: GeoAreaConvertible {
  var area: GeoArea { .box(southWest: bottomLeft.place, northEast: topRight.place) }
}
