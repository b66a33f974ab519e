import Foundation

/// An area on the globe, in degrees of longitude and latitude. Borders belong to it.
package enum GeoArea: Hashable, Sendable {
  /// A place on the globe.
  package struct Point: Hashable, Sendable {
    package var longitude: Double
    package var latitude: Double

    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
    }
  }

  /// Between two parallels and two meridians; over the 180th meridian where the first lies east of the second.
  case box(southWest: Point, northEast: Point)
  /// Within the outer ring and in none of the holes; sides are parts of great circles. Each ring ends with its first point.
  case polygon(outer: [Point], holes: [[Point]])
  /// At most that far from the centre.
  case circle(center: Point, radians: Double)

  /// Whether the place lies in the area; false for what is no place.
  package func contains(_ point: Point) -> Bool {
    guard abs(point.latitude) <= 90, abs(point.longitude) <= 180 else { return false }
    switch self {
    case .box(let southWest, let northEast):
      guard point.latitude >= southWest.latitude, point.latitude <= northEast.latitude else { return false }
      if southWest.longitude <= northEast.longitude {
        return point.longitude >= southWest.longitude && point.longitude <= northEast.longitude
      }
      return point.longitude >= southWest.longitude || point.longitude <= northEast.longitude
    case .polygon(let outer, let holes):
      let place = UnitVector(point)
      return GeoRing(outer).contains(place) && !holes.contains { GeoRing($0).containsInside(place) }
    case .circle(let center, let radians):
      return UnitVector(point).angle(to: UnitVector(center)) <= radians
    }
  }
}

/// A direction from the middle of the globe.
private struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(_ point: GeoArea.Point) {
    let (longitude, latitude) = (point.longitude * .pi / 180, point.latitude * .pi / 180)
    self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: UnitVector) -> UnitVector {
    UnitVector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  /// Exact near zero as well, where the arc cosine is not.
  func angle(to other: UnitVector) -> Double { atan2(cross(other).length, dot(other)) }
}

/// A closed line on the globe.
private struct GeoRing {
  /// Rounding error of a coordinate, in radians: about the width of a hand.
  private static let tolerance = 1e-12
  let corners: [UnitVector]

  init(_ points: [GeoArea.Point]) { corners = points.map { UnitVector($0) } }

  func contains(_ place: UnitVector) -> Bool { isOnBorder(place) || winding(place) }
  func containsInside(_ place: UnitVector) -> Bool { !isOnBorder(place) && winding(place) }

  /// Whether the ring goes around the place, by the angles under which its sides are seen: they add up to a full turn
  /// around a place inside, and to none outside.
  private func winding(_ place: UnitVector) -> Bool {
    var turned = 0.0
    for (a, b) in zip(corners, corners.dropFirst()) {
      let (left, right) = (tangent(place, a), tangent(place, b))
      turned += atan2(place.dot(left.cross(right)), left.dot(right))
    }
    // The place opposite sees the ring turn the other way; of the two parts of the globe the smaller is meant.
    return abs(turned) > .pi && (turned > 0) == (area > 0)
  }

  /// Area of the part to the left of the ring, in steradians; negative where the part to the right is smaller.
  private var area: Double {
    guard let first = corners.first else { return 0 }
    return zip(corners, corners.dropFirst()).reduce(0) { sum, side in
      let (a, b) = side
      return sum + 2 * atan2(first.dot(a.cross(b)), 1 + first.dot(a) + a.dot(b) + b.dot(first))
    }
  }

  /// The direction in which a corner is seen from a place.
  private func tangent(_ place: UnitVector, _ corner: UnitVector) -> UnitVector {
    let height = place.dot(corner)
    return UnitVector(
      x: corner.x - height * place.x, y: corner.y - height * place.y, z: corner.z - height * place.z)
  }

  private func isOnBorder(_ place: UnitVector) -> Bool {
    zip(corners, corners.dropFirst()).contains { a, b in
      let normal = a.cross(b)
      let length = normal.length
      guard length > 0 else { return place.angle(to: a) <= Self.tolerance }
      guard abs(place.dot(normal)) <= Self.tolerance * length else { return false }
      let side = a.angle(to: b)
      return place.angle(to: a) <= side + Self.tolerance && place.angle(to: b) <= side + Self.tolerance
    }
  }
}
