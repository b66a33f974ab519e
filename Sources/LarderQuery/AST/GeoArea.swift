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

  /// Between two parallels and two meridians; over the 180th meridian where the first is east of the second.
  case box(southWest: Point, northEast: Point)
  /// Within the outer ring and in none of the holes; sides are parts of great circles. Each ring ends with its first point.
  case polygon(outer: [Point], holes: [[Point]])
  /// At most that far from the centre.
  case circle(center: Point, radians: Double)

  /// Returns true if the place is in the area; false for what is no place.
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
struct UnitVector {
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

  func plus(_ other: UnitVector, times factor: Double = 1) -> UnitVector {
    UnitVector(x: x + factor * other.x, y: y + factor * other.y, z: z + factor * other.z)
  }

  var length: Double { dot(self).squareRoot() }

  /// The direction with length one; itself where it has none.
  var unit: UnitVector { length > 0 ? UnitVector(x: x / length, y: y / length, z: z / length) : self }

  /// Exact near zero as well, where the arc cosine is not.
  func angle(to other: UnitVector) -> Double { atan2(cross(other).length, dot(other)) }
}

/// A closed line on the globe.
struct GeoRing {
  /// Rounding error of a coordinate, in radians: about the width of a hand.
  static let tolerance = 1e-12
  let corners: [UnitVector]

  init(_ points: [GeoArea.Point]) { corners = points.map { UnitVector($0) } }

  func contains(_ place: UnitVector) -> Bool { isOnBorder(place) || surrounds(place) }
  func containsInside(_ place: UnitVector) -> Bool { !isOnBorder(place) && surrounds(place) }

  /// Returns true if the place is in the smaller of the two parts that the ring cuts the globe into.
  ///
  /// A way from a place just to the left of a side to the place in question crosses the ring once for each change of parts. A way
  /// that touches a corner or a side at an end tells nothing: then another side is tried.
  func surrounds(_ place: UnitVector) -> Bool {
    for (a, b) in sides {
      let start = a.plus(b).plus(a.cross(b).unit, times: Self.offset).unit
      guard let crossings = crossings(from: start, to: place) else { continue }
      return crossings.isMultiple(of: 2) == turnsLeft
    }
    return false
  }

  /// The distance from a side at which a way begins, in radians: about a meter.
  private static let offset = 1e-7

  var sides: [(UnitVector, UnitVector)] { Array(zip(corners, corners.dropFirst())) }

  /// Returns the number of times that a way crosses the ring; nil where it is too near a corner to tell.
  private func crossings(from start: UnitVector, to end: UnitVector) -> Int? {
    let way = start.cross(end)
    var count = 0
    for (a, b) in sides {
      let side = a.cross(b)
      let (left, right) = (-way.dot(a), way.dot(b))
      let (before, after) = (side.dot(start), -side.dot(end))
      let smallest = Swift.min(abs(left), abs(right), abs(before), abs(after))
      if smallest < Self.tolerance * Self.tolerance { return nil }
      if left * right > 0, left * after > 0, left * before > 0 { count += 1 }
    }
    return count
  }

  /// True if the smaller part of the globe is to the left: the angles by which the ring turns at its corners add up to a full turn, less the area to
  /// its left.
  private var turnsLeft: Bool {
    let normals = sides.map { $0.cross($1) }
    guard let first = normals.first else { return true }
    let turns = zip(zip(normals, normals.dropFirst() + [first]), corners.dropFirst())
    return turns.reduce(0) { sum, turn in
      let ((before, after), corner) = turn
      return sum + atan2(before.cross(after).dot(corner), before.dot(after))
    } > 0
  }

  func isOnBorder(_ place: UnitVector) -> Bool {
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
