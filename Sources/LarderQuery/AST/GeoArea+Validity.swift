extension GeoArea {
  /// The reason why the area has no inside to search in; nil for one that has. A polygon of many corners takes quadratic time.
  var fault: String? {
    guard case .polygon(let outer, let holes) = self else { return nil }
    let rings = ([outer] + holes).map { GeoRing($0) }
    for (index, ring) in rings.enumerated() {
      if let fault = ring.fault { return "\(Self.name(index)) \(fault)" }
    }
    for (index, ring) in rings.enumerated() {
      for other in 0..<index {
        if let fault = ring.fault(beside: rings[other], isHole: other == 0) {
          return "\(Self.name(index)) \(fault) \(Self.name(other).lowercased())"
        }
      }
    }
    return nil
  }

  private static func name(_ ring: Int) -> String { ring == 0 ? "The outer ring" : "Hole \(ring)" }
}

extension GeoRing {
  /// The fault of the ring by itself.
  fileprivate var fault: String? {
    guard corners.count >= 4, let first = corners.first, let last = corners.last, first.isNear(last) else {
      return "needs at least four places, the last of which is the first"
    }
    let sides = sides
    for index in sides.indices {
      if let twice = sides[..<index].firstIndex(where: { $0.0.isNear(sides[index].0) }) {
        return "goes through one place twice, as its places \(twice + 1) and \(index + 1)"
      }
    }
    for index in sides.indices {
      if let other = sides[..<index].firstIndex(where: { Self.meet(sides[index], $0) }) {
        return "crosses or touches itself, with its sides \(other + 1) and \(index + 1)"
      }
    }
    return nil
  }

  /// Returns the fault of a hole beside the outer ring or another hole. Rings may touch at corners.
  fileprivate func fault(beside other: GeoRing, isHole: Bool) -> String? {
    let (sides, others) = (sides, other.sides)
    for side in sides where others.contains(where: { Self.meet(side, $0) || Self.isSame(side, $0) }) {
      return "crosses or touches"
    }
    // Without crossings all of a ring is on one side of the other, whatever place of it is looked at.
    if isHole { return other.surrounds(anyOf: self) ? nil : "is not inside" }
    return other.surrounds(anyOf: self) || surrounds(anyOf: other) ? "is nested with" : nil
  }

  private func surrounds(anyOf ring: GeoRing) -> Bool {
    let places = ring.corners + ring.sides.map { $0.0.plus($0.1).unit }
    return places.first { !isOnBorder($0) }.map { surrounds($0) } ?? false
  }

  private typealias Side = (UnitVector, UnitVector)

  private static func isSame(_ a: Side, _ b: Side) -> Bool {
    (a.0.isNear(b.0) && a.1.isNear(b.1)) || (a.0.isNear(b.1) && a.1.isNear(b.0))
  }

  /// Returns true if two sides cross, or an end of one is on the other and no end of it.
  private static func meet(_ a: Side, _ b: Side) -> Bool {
    let (first, second) = (a.0.cross(a.1), b.0.cross(b.1))
    let (left, right) = (-first.dot(b.0), first.dot(b.1))
    let (before, after) = (-second.dot(a.1), second.dot(a.0))
    let smallest = Swift.min(abs(left), abs(right), abs(before), abs(after))
    if smallest > tolerance { return left * right > 0 && left * before > 0 && left * after > 0 }
    return isInside(b.0, a) || isInside(b.1, a) || isInside(a.0, b) || isInside(a.1, b)
      || (left * right > 0 && left * before > 0 && left * after > 0 && !sharesEnd(a, b))
  }

  private static func sharesEnd(_ a: Side, _ b: Side) -> Bool {
    a.0.isNear(b.0) || a.0.isNear(b.1) || a.1.isNear(b.0) || a.1.isNear(b.1)
  }

  /// Returns true if the place is on the side, and no end of it.
  private static func isInside(_ place: UnitVector, _ side: Side) -> Bool {
    if place.isNear(side.0) || place.isNear(side.1) { return false }
    let normal = side.0.cross(side.1)
    guard abs(place.dot(normal)) <= tolerance * normal.length else { return false }
    let length = side.0.angle(to: side.1)
    return place.angle(to: side.0) <= length && place.angle(to: side.1) <= length
  }
}

extension UnitVector {
  fileprivate func isNear(_ other: UnitVector) -> Bool { angle(to: other) <= GeoRing.tolerance }
}
