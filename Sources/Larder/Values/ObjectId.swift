import Foundation
import LarderStorage
import Synchronization

/// A 12-byte identifier: seconds since 1970, random bytes of the process, and a counter. Ordered by its bytes.
public final class ObjectId: NSObject, Decodable, @unchecked Sendable {
  // Unchecked: immutable.
  let bytes: ObjectIdBytes

  init(_ bytes: ObjectIdBytes) {
    self.bytes = bytes
    super.init()
  }

  /// All zeros.
  public required override init() {
    bytes = ObjectIdBytes(high: 0, low: 0)
    super.init()
  }

  /// A new identifier, different from every other one this process made.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: WallClock.seconds()))
    return ObjectId(bytes(seconds: seconds, random: processRandom, counter: nextCounter()))
  }

  /// Reads 24 hexadecimal digits; throws `Realm.Error.invalidInput` for anything else.
  public required init(string: String) throws {
    guard let bytes = ObjectId.bytes(hexadecimal: string) else {
      throw Realm.Error.make(
        .invalidInput, "'\(misuseText(string))' is not a valid ObjectId: 24 hexadecimal digits are needed.")
    }
    self.bytes = bytes
    super.init()
  }

  /// An identifier of a time and of numbers that name a machine and a process; its last part counts up.
  public required init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = UInt64(UInt32(truncatingIfNeeded: WallClock.seconds(timestamp)))
    let random = UInt64(machineId & 0xFF_FFFF) << 16 | UInt64(processId & 0xFFFF)
    bytes = ObjectId.bytes(seconds: seconds, random: random, counter: ObjectId.nextCounter())
    super.init()
  }

  /// Reads a literal of 24 hexadecimal digits; anything else is misuse.
  public required init(_ str: StaticString) {
    guard let bytes = ObjectId.bytes(hexadecimal: "\(str)") else {
      misuse("'\(str)' is not a valid ObjectId: 24 hexadecimal digits are needed.")
    }
    self.bytes = bytes
    super.init()
  }

  public required init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = ObjectId.bytes(hexadecimal: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(misuseText(text))' is not an ObjectId of 24 hexadecimal digits.")
    }
    self.bytes = bytes
    super.init()
  }

  /// The time at which it was made, to the second.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(bytes.high >> 32)) }

  /// 24 lower-case hexadecimal digits.
  public var stringValue: String {
    ObjectId.hexadecimal(bytes.high, digits: 16) + ObjectId.hexadecimal(UInt64(bytes.low), digits: 8)
  }

  public override var description: String { stringValue }

  public override func isEqual(_ object: Any?) -> Bool { (object as? ObjectId)?.bytes == bytes }

  public override var hash: Int { bytes.hashValue }

  private static let processRandom = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<UInt32>(.random(in: 0..<(1 << 24)))

  private static func nextCounter() -> UInt32 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
  }

  private static func bytes(seconds: UInt64, random: UInt64, counter: UInt32) -> ObjectIdBytes {
    ObjectIdBytes(high: seconds << 32 | random >> 8, low: UInt32(random & 0xFF) << 24 | counter)
  }

  static func bytes(hexadecimal text: String) -> ObjectIdBytes? {
    guard text.utf8.count == 24, text.utf8.allSatisfy({ ($0 as UInt8).isHexadecimalDigit }) else { return nil }
    guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16) else { return nil }
    return ObjectIdBytes(high: high, low: low)
  }

  private static func hexadecimal(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self)
  }
}

extension ObjectId: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}

extension ObjectId: Comparable {
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.bytes < rhs.bytes }
  public static func <= (lhs: ObjectId, rhs: ObjectId) -> Bool { !(rhs.bytes < lhs.bytes) }
  public static func >= (lhs: ObjectId, rhs: ObjectId) -> Bool { !(lhs.bytes < rhs.bytes) }
  public static func > (lhs: ObjectId, rhs: ObjectId) -> Bool { rhs.bytes < lhs.bytes }
}
