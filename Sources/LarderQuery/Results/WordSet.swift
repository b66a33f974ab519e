/// Integers that were seen. Grows; nothing is taken out.
struct WordSet {
  /// A power of two of places, at most half of them taken; `vacant` where there is nothing.
  private var places: [Int64]
  private var hasVacantValue = false
  private(set) var count = 0
  /// Differs between sets, so that no data can be made that always collides.
  private let seed = UInt64.random(in: .min ... .max)

  private static let vacant = Int64.min

  init() { places = Array(repeating: Self.vacant, count: 64) }

  /// Adds a value; false when it was there.
  @inline(__always)
  mutating func insert(_ value: Int64) -> Bool {
    if value == Self.vacant {
      defer { hasVacantValue = true }
      if !hasVacantValue { count &+= 1 }
      return !hasVacantValue
    }
    let place = place(of: value)
    if places[place] == value { return false }
    places[place] = value
    count &+= 1
    if count &* 2 > places.count { grow() }
    return true
  }

  func contains(_ value: Int64) -> Bool {
    value == Self.vacant ? hasVacantValue : places[place(of: value)] == value
  }

  /// Returns true if all integers of a range are there; takes no more steps than there are values.
  func contains(_ range: ClosedRange<Int64>) -> Bool {
    let (distance, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflows, distance < count else { return false }
    return range.allSatisfy { contains($0) }
  }

  /// Returns the position of a value, or the one that it would have.
  @inline(__always)
  private func place(of value: Int64) -> Int {
    let product = (UInt64(bitPattern: value) ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    let mask = places.count &- 1
    var place = Int(truncatingIfNeeded: product.high ^ product.low) & mask
    while places[place] != value, places[place] != Self.vacant { place = (place &+ 1) & mask }
    return place
  }

  private mutating func grow() {
    let before = places
    places = Array(repeating: Self.vacant, count: before.count * 2)
    for value in before where value != Self.vacant { places[place(of: value)] = value }
  }
}
