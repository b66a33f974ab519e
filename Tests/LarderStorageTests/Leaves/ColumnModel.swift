import Foundation

@testable import LarderStorage

/// A repeatable random sequence; failing tests print its seed.
struct LeafRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Values for leaf tests.
enum LeafSamples {
  static let storedTypes = ColumnType.allCases.filter { $0 != .mixed }

  /// Values at the edges of a type, none longer than a leaf keeps.
  static func edges(_ type: ColumnType) -> [StoredValue] {
    switch type {
    case .bool: [.bool(true), .bool(false)]
    case .int: [.int(0), .int(.min), .int(.max), .int(-1), .int(1), .int(255), .int(256), .int(65_536), .int(1 << 32)]
    case .float:
      [.float(0), .float(-0.0), .float(.infinity), .float(-.infinity), .float(.leastNonzeroMagnitude), .float(1.5)]
    case .double:
      [.double(0), .double(-0.0), .double(.infinity), .double(-.infinity), .double(.greatestFiniteMagnitude)]
    case .string:
      [
        .string(""), .string("a"), .string("nul\0inside"), .string("\u{10FFFF}"), .string("e\u{301}é"),
        .string("👩‍👩‍👧‍👦🇩🇪"), .string(String(repeating: "x", count: 15)), .string(String(repeating: "y", count: 16)),
        .string(String(repeating: "z", count: 1_024)), .string(allScalars(from: 0x80, step: 8_209)),
      ]
    case .data: [.data(Data()), .data(Data([0])), .data(Data(0...255)), .data(Data(repeating: 0xFF, count: 1_024))]
    case .date:
      [
        .date(Timestamp(seconds: 0)), .date(Timestamp(seconds: .min)), .date(Timestamp(seconds: .max)),
        .date(Timestamp(seconds: -1, nanoseconds: 999_999_999)), .date(Timestamp(seconds: 1_700_000_000)),
      ]
    case .uuid: [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uuid(UUID())]
    case .objectId: [.objectId(ObjectIdBytes(high: 0, low: 0)), .objectId(ObjectIdBytes(high: .max, low: .max - 1))]
    case .decimal128: [.decimal128(.zero), .decimal128(Decimal128Bits(high: .max, low: 1))]
    case .link: [.link(ObjectKey(rawValue: 0)), .link(ObjectKey(rawValue: 1 << 40)), .link(ObjectKey(rawValue: .max))]
    case .mixed: []
    }
  }

  /// A random value; `spread` in 0...64 is how many bits numbers use.
  static func random(_ type: ColumnType, spread: Int, using random: inout LeafRandom) -> StoredValue {
    let word = spread == 0 ? 0 : random.next() >> UInt64(64 - spread)
    switch type {
    case .bool: return .bool(random.next() & 1 == 0)
    case .int: return .int(Int64(bitPattern: word) &- 77)
    case .float: return .float(Float(word))
    case .double: return .double(Double(word) / 16)
    case .string: return .string(String(repeating: "ä", count: spread) + String(word))
    case .data: return .data(Data((0..<spread).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
    case .date: return .date(Timestamp(seconds: Int64(bitPattern: word), nanoseconds: spread > 40 ? UInt32(spread) : 0))
    case .uuid: return .uuid(UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self)))
    case .objectId: return .objectId(ObjectIdBytes(high: random.next(), low: UInt32(truncatingIfNeeded: word)))
    case .decimal128: return .decimal128(Decimal128Bits(high: random.next(), low: word))
    case .link: return .link(ObjectKey(rawValue: word >> 1))
    case .mixed: return .null
    }
  }

  /// Returns the value of a slot that was skipped over in a required column.
  static func zero(_ type: ColumnType) -> StoredValue {
    switch type {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(Data())
    case .date: .date(Timestamp(seconds: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(ObjectIdBytes(high: 0, low: 0))
    case .decimal128: .decimal128(.zero)
    case .link: .link(ObjectKey(rawValue: 0))
    case .mixed: .null
    }
  }

  static func allScalars(from first: UInt32, step: UInt32) -> String {
    var text = String.UnicodeScalarView()
    for value in Swift.stride(from: first, through: 0x10FFFF, by: Int(step)) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
