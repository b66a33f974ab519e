import Foundation
import LarderStorage
import LarderSyncProtocol

extension StoredValue {
  /// A value as the query engine takes it; nil for links and embedded objects, which no subscription looks at.
  init?(_ value: SyncValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal128(Decimal128Bits(high: value.high, low: value.low))
    case .string(let value): self = .string(value.string)
    case .data(let value): self = .data(Data(value))
    case .date(let value): self = .date(Timestamp(seconds: value.seconds, nanoseconds: value.nanoseconds))
    case .objectID(let value): self = .objectId(ObjectIdBytes(high: value.high, low: value.low))
    case .uuid(let value): self = .uuid(UUID(high: value.high, low: value.low))
    case .list(let list): self = .list(StoredList(list.entries.map { StoredValue($0.value) ?? .null }))
    case .map(let map):
      self = .dictionary(
        StoredDictionary(map.entries.map { (key: $0.key.string, value: StoredValue($0.value) ?? .null) }))
    case .link, .embedded, .set: return nil
    }
  }
}

extension SyncValue {
  /// A constant of a predicate on the wire; nil for what is no plain value.
  init?(_ value: StoredValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal128(let bits): self = .decimal(SyncDecimal(high: bits.high, low: bits.low))
    case .string(let value): self = .string(SyncText(value))
    case .data(let value): self = .data(Array(value))
    case .date(let value):
      guard let date = SyncDate(seconds: value.seconds, nanoseconds: value.nanoseconds) else { return nil }
      self = .date(date)
    case .objectId(let value): self = .objectID(SyncObjectID(high: value.high, low: value.low))
    case .uuid(let value):
      let (high, low) = value.halves
      self = .uuid(SyncUUID(high: high, low: low))
    case .link, .object, .list, .dictionary: return nil
    }
  }
}

/// UUIDs as two numbers.
extension UUID {
  /// The UUID of two big-endian numbers.
  fileprivate init(high: UInt64, low: UInt64) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7)
      ))
  }

  /// The sixteen bytes as two big-endian numbers.
  fileprivate var halves: (high: UInt64, low: UInt64) {
    func word(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid
    return (word([a, b, c, d, e, f, g, h]), word([i, j, k, l, m, n, o, p]))
  }
}
