import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct StoredOrderTests {
  private static func decimal(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> StoredValue {
    .decimal128(Decimal128Bits(high: (negative ? 1 << 63 : 0) | UInt64(exponent + 6176) << 49, low: coefficient))
  }

  @Test("Q-126: numbers of all types compare by value")
  func numbersCompareByValue() {
    let equal: [(StoredValue, StoredValue)] = [
      (.int(1), .double(1)), (.int(1), .float(1)), (.double(0.1), Self.decimal(1, -1)), (.int(0), .double(-0.0)),
      (.int(100), Self.decimal(1, 2)), (Self.decimal(10, -1), Self.decimal(1, 0)), (.int(.min), .double(-0x1p63)),
      (Self.decimal(0, 5, negative: true), .int(0)), (.double(.infinity), .float(.infinity)),
    ]
    for (a, b) in equal { #expect(StoredOrder.compare(a, b) == 0, "\(a) \(b)") }
    let rising: [(StoredValue, StoredValue)] = [
      (.double(0x1p53), .int(1 << 53 + 1)), (.double(0.1), .float(0.1)), (.int(.max), .double(0x1p63)),
      (.double(-.infinity), .int(.min)), (.decimal128(Decimal128Bits(high: 0x7C << 56, low: 0)), .double(.nan)),
      (.double(.nan), .double(-.infinity)), (Self.decimal(5, 0, negative: true), .int(-4)), (.int(-3), .double(-2.5)),
      (.double(1e300), Self.decimal(1, 301)), (.double(1e-300), Self.decimal(1, -299)),
    ]
    for (a, b) in rising {
      #expect(StoredOrder.compare(a, b) < 0, "\(a) \(b)")
      #expect(StoredOrder.compare(b, a) > 0, "\(a) \(b)")
    }
  }

  @Test("Q-127: values of different types are ordered by type")
  func typesAreOrdered() {
    let rising: [StoredValue] = [
      .null, .bool(false), .bool(true), .double(.nan), .int(-5), .float(2.5), .string("a"), .data(Data([1])),
      .date(Timestamp(seconds: 0)), .objectId(ObjectIdBytes(high: 0, low: 1)), .uuid(UUID()),
      .object(ObjectLink(classID: ClassID(rawValue: 1), key: ObjectKey(rawValue: 9))),
      .object(ObjectLink(classID: ClassID(rawValue: 2), key: ObjectKey(rawValue: 1))), .list([]), .list([.int(1)]),
      .dictionary([:]), .dictionary(["a": .null]),
    ]
    for (i, a) in rising.enumerated() {
      for (j, b) in rising.enumerated() { #expect(StoredOrder.compare(a, b).signum() == (i - j).signum(), "\(a) \(b)") }
    }
  }

  @Test("Q-126: the order of numbers is total: sorting is the same from any start")
  func orderIsTotal() {
    var random = SeededRandom.forTest()
    let values: [StoredValue] = (0..<400).map { _ in
      let whole = random.anyInt64()
      let near = Double(whole)
      return switch random.int(0..<6) {
      case 0: .int(whole)
      case 1: .double(near)
      case 2: .double(random.oneIn(2) ? near.nextUp : near / 10)
      case 3: .float(Float(near))
      case 4: Self.decimal(whole.magnitude, random.int(-3...3), negative: whole < 0)
      default: Self.decimal(near.magnitude < 1e19 ? UInt64(near.magnitude) : 5, 0, negative: near < 0)
      }
    }
    for _ in 0..<30_000 {
      let (a, b, c) = (random.pick(values), random.pick(values), random.pick(values))
      let (ab, bc, ac) = (StoredOrder.compare(a, b), StoredOrder.compare(b, c), StoredOrder.compare(a, c))
      #expect(ab.signum() == -StoredOrder.compare(b, a).signum())
      if ab <= 0, bc <= 0 { #expect(ac <= 0, "seed \(random.seed): \(a) \(b) \(c)") }
      if ab == 0, bc == 0 { #expect(ac == 0, "seed \(random.seed): \(a) \(b) \(c)") }
    }
  }
}
