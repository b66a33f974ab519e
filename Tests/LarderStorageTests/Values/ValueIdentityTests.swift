import LarderStorage
import TestSupport
import Testing

@Suite("Identity of values") struct ValueIdentityTests {
  private func decimal(_ text: String) throws -> StoredValue {
    .decimal128(try #require(DecimalNumber(text), "\(text)").bits)
  }

  @Test("Q-126 and Q-131: what the order does not tell apart is equal and hashes alike")
  func equality() throws {
    var values: [StoredValue] = [
      .null, .bool(true), .bool(false), .string("1"), .string("e\u{301}"), .string("\u{e9}"), .float(.nan),
      .double(.nan),
      .double(.infinity), .double(0.1), .float(0.1), .float(1.5), .double(1.5), .double(0x1p63), .double(-0x1p63),
      .double(0x1p53), .double(1e300), .list(StoredList([.int(1)])), .list(StoredList([.double(1)])),
    ]
    let integers: [Int64] = [
      0, 1, -1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, .max, .max - 1, .max - 600, .min, .min + 1,
    ]
    for number in integers {
      values += [.int(number), .double(Double(number)), try decimal("\(number)")]
    }
    for text in ["-0", "0.0", "1.0", "1.00", "10E-1", "0.1", "0.10", "1.5", "1E300", "NaN", "Infinity", "1E-400"] {
      values.append(try decimal(text))
    }
    values.append(.double(-0.0))
    var equal = 0
    for a in values {
      for b in values {
        let isSame = StoredOrder.compare(a, b) == 0
        #expect((ValueIdentity(a) == ValueIdentity(b)) == isSame, "\(a) \(b)")
        if isSame {
          #expect(ValueIdentity(a).hashValue == ValueIdentity(b).hashValue, "\(a) \(b)")
          equal += 1
        }
      }
    }
    #expect(equal > values.count && Set(values.map { ValueIdentity($0) }).count < values.count)
    // Neighbours that share a double.
    #expect(ValueIdentity(.int(1 << 60)).hashValue != ValueIdentity(.int(1 << 60 + 1)).hashValue)
  }
}
