import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

@Suite("Words of sorted objects")
struct SortPrefixTests {
  private static let types: [ColumnType] = [
    .int, .bool, .double, .float, .date, .string, .data, .objectId, .uuid, .decimal128, .link, .mixed,
  ]

  private func value(_ type: ColumnType, _ random: inout SeededRandom) -> StoredValue {
    switch type {
    case .int: .int(random.pick([.min, .min + 1, -1, 0, 1, .max - 1, .max, Int64(random.int(-5...5))]))
    case .bool: .bool(random.oneIn(2))
    case .double: .double(random.pick([-.infinity, .infinity, .nan, 0, -0.0, 1, -1, .leastNonzeroMagnitude, 1e300]))
    case .float: .float(random.pick([-.infinity, .infinity, .nan, 0, -0.0, 1, -1, .leastNonzeroMagnitude]))
    case .date:
      .date(Timestamp(seconds: random.pick([.min, -1, 0, 1, .max]), nanoseconds: UInt32(random.int(0...2))))
    case .string: .string(random.pick(["", "\0", "12345678", "12345678", "1234567"]) + random.string(maxLength: 3))
    case .data: .data(Data((0..<random.int(0...10)).map { _ in random.pick([0, 1, 255]) }))
    case .objectId:
      .objectId(ObjectIdBytes(high: random.pick([0, 1, .max]), low: UInt32(random.int(0...2))))
    case .uuid:
      .uuid(UUID(uuid: (random.pick([0, 255]), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, random.pick([0, 1]))))
    case .decimal128: .decimal128(DecimalNumber(number: .int(Int64(random.int(-3...3)))).bits)
    case .link: .link(ObjectKey(rawValue: UInt64(random.int(0...3))))
    case .mixed: random.oneIn(2) ? .int(1) : .string("a")
    }
  }

  @Test(
    "Q-154: objects with different words are in the order of their values, nil and nil links among them",
    arguments: types)
  func order(_ type: ColumnType) {
    var random = SeededRandom.forTest()
    let path = BoundPath(column: ColumnID(rawValue: 1), type: type)
    for isAscending in [true, false] {
      let key = SortKey(path, isAscending: isAscending)
      let order = SortOrder(key)
      let values = (0..<120).map { _ in
        random.oneIn(8) ? SortValue(.null, linkIsNil: random.oneIn(2)) : SortValue(value(type, &random))
      }
      for first in values {
        for second in values {
          let (a, b) = (key.prefix(of: first), key.prefix(of: second))
          if a == SortPrefix.unknown || b == SortPrefix.unknown {
            #expect(!key.hasPrefixes)
          } else if a != b {
            #expect((a < b) == (order.compare(first, second) < 0), "\(first) \(second)")
          }
        }
      }
    }
    #expect(SortKey(path).hasPrefixes == ![.decimal128, .link, .mixed].contains(type))
    let folded = SortKey(.path(path), collation: .folded(.caseInsensitive))
    #expect(folded.hasPrefixes == (SortKey(path).hasPrefixes && type != .string))
  }
}
