import Testing

@testable import LarderQuery

@Suite struct GeoAreaTests {
  private func place(_ latitude: Double, _ longitude: Double) -> GeoArea.Point {
    GeoArea.Point(longitude: longitude, latitude: latitude)
  }

  @Test("Q-74: a box has its borders, and may be across the 180th meridian")
  func box() {
    let box = GeoArea.box(southWest: place(-10, 20), northEast: place(10, 40))
    #expect(box.contains(place(0, 30)) && box.contains(place(10, 40)) && box.contains(place(-10, 20)))
    #expect(!box.contains(place(10.001, 30)) && !box.contains(place(0, 19.999)))
    let across = GeoArea.box(southWest: place(-10, 170), northEast: place(10, -170))
    #expect(across.contains(place(0, 180)) && across.contains(place(0, -175)) && !across.contains(place(0, 0)))
    #expect(!box.contains(place(91, 30)) && !box.contains(place(.nan, 30)))
  }

  @Test("Q-74: a circle is measured along the globe, over the poles too")
  func circle() {
    let degree = Double.pi / 180
    let circle = GeoArea.circle(center: place(89, 0), radians: 2 * degree)
    #expect(circle.contains(place(89, 180)) && circle.contains(place(87.1, 0)) && !circle.contains(place(86.9, 0)))
    #expect(GeoArea.circle(center: place(5, 5), radians: 0).contains(place(5, 5)))
  }

  @Test("Q-74: a polygon of either direction, with holes; corners and sides belong to it, those of holes too")
  func polygon() {
    let square = [place(0, 0), place(0, 10), place(10, 10), place(10, 0), place(0, 0)]
    let hole = [place(4, 4), place(4, 6), place(6, 6), place(6, 4), place(4, 4)]
    for ring in [square, square.reversed()] {
      let polygon = GeoArea.polygon(outer: ring, holes: [hole])
      #expect(polygon.contains(place(2, 2)) && polygon.contains(place(0, 0)) && polygon.contains(place(0, 5)))
      #expect(!polygon.contains(place(5, 5)) && !polygon.contains(place(-1, 5)) && !polygon.contains(place(5, 170)))
      #expect(polygon.contains(place(4, 4)) && !polygon.contains(place(-5, -175)) && !polygon.contains(place(-5, 175)))
    }
    let strip = GeoArea.polygon(
      outer: [
        place(-1, -100), place(-1, 0), place(-1, 100), place(1, 100), place(1, 0), place(1, -100), place(-1, -100),
      ],
      holes: [])
    #expect(strip.contains(place(0, 99)) && strip.contains(place(0, -99)) && !strip.contains(place(0, 179)))
    #expect(!strip.contains(place(80, 0)))
  }

  @Test("Q-74: sides are parts of great circles, which bend towards the poles")
  func greatCircles() {
    let polygon = GeoArea.polygon(
      outer: [place(0, -40), place(0, 40), place(50, 40), place(50, -40), place(0, -40)], holes: [])
    #expect(polygon.contains(place(52, 0)) && !polygon.contains(place(60, 0)))
  }
}
