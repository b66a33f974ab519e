/// A way along the globe, which has a radius of 6378.1 km.
public struct Distance: Hashable, Sendable {
  /// The angle between both ends, seen from the middle of the globe.
  public private(set) var radians: Double

  private static let kilometersPerRadian = 6378.1
  private static let kilometersPerMile = 1.609344

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Nil if negative or no number.
  public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers / kilometersPerRadian) }
  /// Nil if negative or no number.
  public static func miles(_ miles: Double) -> Distance? { kilometers(miles * kilometersPerMile) }
  /// Nil if negative or no number.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }
  /// Nil if negative or no number.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

  /// The distance in kilometers.
  public func asKilometers() -> Double { radians * Self.kilometersPerRadian }
  /// The distance in miles.
  public func asMiles() -> Double { asKilometers() / Self.kilometersPerMile }
  /// The angle in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}
