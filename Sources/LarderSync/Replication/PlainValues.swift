import Foundation
import LarderStorage
import LarderSyncProtocol

extension StoredValue {
  /// A value that is no link and no container, as a store has it; nil for those.
  init?(plain value: SyncValue) {
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
    case .uuid(let value): self = .uuid(UUID(value))
    case .link, .embedded, .list, .set, .map: return nil
    }
  }

  /// A primary key as a store has it.
  init(_ key: PrimaryKey) {
    switch key {
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(value.string)
    case .objectID(let value): self = .objectId(ObjectIdBytes(high: value.high, low: value.low))
    case .uuid(let value): self = .uuid(UUID(value))
    }
  }

  /// Returns true if a column of a type may hold the value, which is not null.
  func fits(_ type: ColumnType) -> Bool {
    switch (self, type) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
      (.date, .date), (.uuid, .uuid), (.objectId, .objectId), (.decimal128, .decimal128), (_, .mixed):
      true
    default: false
    }
  }
}

extension PrimaryKey {
  /// The primary key of a stored object; nil for null and for what no primary key is.
  init?(_ value: StoredValue) {
    switch value {
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(SyncText(value))
    case .objectId(let value): self = .objectID(SyncObjectID(high: value.high, low: value.low))
    case .uuid(let value): self = .uuid(SyncUUID(value))
    default: return nil
    }
  }
}

extension SyncValue {
  /// A stored value that is no link and no container; nil for those.
  init?(plain value: StoredValue) {
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
    case .uuid(let value): self = .uuid(SyncUUID(value))
    case .link, .object, .list, .dictionary: return nil
    }
  }
}

extension UUID {
  fileprivate init(_ value: SyncUUID) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
    let (high, low) = (value.high, value.low)
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7)
      ))
  }
}

extension SyncUUID {
  fileprivate init(_ value: UUID) {
    func word(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = value.uuid
    self.init(high: word([a, b, c, d, e, f, g, h]), low: word([i, j, k, l, m, n, o, p]))
  }
}
