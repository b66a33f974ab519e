import LarderQuery

/// The area within a ring of places and in none of the holes, the borders included. Sides are parts of great circles; of the two parts of the globe
/// the smaller is meant.
public struct GeoPolygon: RLMGeospatial, Hashable, Sendable {
  /// The ring, which ends with its first place.
  public private(set) var outerRing: [GeoPoint]
  /// Rings within the outer one that do not belong to it.
  public private(set) var holes: [[GeoPoint]]?

  /// Nil unless the ring has at least four points and ends with its first.
  public init?(outerRing: [GeoPoint]) { self.init(outerRing: outerRing, holes: nil) }

  /// Nil unless every ring has at least four points and ends with its first.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) {
    guard ([outerRing] + (holes ?? [])).allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// From pairs of latitude and longitude; nil when one is no place, or a ring is not closed.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else { return nil }
    self.init(outerRing: rings[0], holes: holes.isEmpty ? nil : Array(rings.dropFirst()))
  }

  /// From pairs of latitude and longitude; nil when one is no place, or a ring is not closed.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }
}

extension GeoPolygon: GeoAreaConvertible {
  var area: GeoArea { .polygon(outer: outerRing.map(\.place), holes: (holes ?? []).map { $0.map(\.place) }) }
}
