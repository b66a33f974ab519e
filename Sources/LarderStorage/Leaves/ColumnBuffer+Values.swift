import Foundation

extension ColumnBuffer {
  // MARK: - Setting

  @inline(__always) package func setBool(_ slot: Int, _ value: Bool) {
    precondition(codec == .bits, "not a column of bools")
    claim(slot)
    if value { ColumnBuffer.set(words, slot) } else { ColumnBuffer.clear(words, slot) }
  }

  @inline(__always) package func setInt(_ slot: Int, _ value: Int64) {
    precondition(codec == .integers, "not a column of integers")
    claim(slot)
    integers[slot] = value
  }

  @inline(__always) package func setLink(_ slot: Int, _ key: ObjectKey) {
    precondition(codec == .integers, "not a column of links")
    claim(slot)
    integers[slot] = Int64(bitPattern: key.rawValue)
  }

  @inline(__always) package func setFloat(_ slot: Int, _ value: Float) {
    precondition(type == .float, "not a column of floats")
    claim(slot)
    values.assumingMemoryBound(to: Float.self)[slot] = value
  }

  @inline(__always) package func setDouble(_ slot: Int, _ value: Double) {
    precondition(type == .double, "not a column of doubles")
    claim(slot)
    values.assumingMemoryBound(to: Double.self)[slot] = value
  }

  @inline(__always) package func setDate(_ slot: Int, _ value: Timestamp) {
    precondition(codec == .dates, "not a column of dates")
    claim(slot)
    integers[slot] = value.seconds
    if let nanoseconds {
      nanoseconds[slot] = value.nanoseconds
    } else if value.nanoseconds != 0 {
      allocateNanoseconds()[slot] = value.nanoseconds
    }
  }

  package func setUUID(_ slot: Int, _ value: UUID) {
    precondition(type == .uuid, "not a column of UUIDs")
    claim(slot)
    values.storeBytes(of: value.uuid, toByteOffset: slot &* 16, as: uuid_t.self)
  }

  package func setObjectId(_ slot: Int, _ value: ObjectIdBytes) {
    precondition(type == .objectId, "not a column of ObjectIds")
    claim(slot)
    values.storeBytes(of: value.high.bigEndian, toByteOffset: slot &* 12, as: UInt64.self)
    values.storeBytes(of: value.low.bigEndian, toByteOffset: slot &* 12 &+ 8, as: UInt32.self)
  }

  package func setDecimal128(_ slot: Int, _ value: Decimal128Bits) {
    precondition(type == .decimal128, "not a column of decimals")
    claim(slot)
    values.storeBytes(of: value.low, toByteOffset: slot &* 16, as: UInt64.self)
    values.storeBytes(of: value.high, toByteOffset: slot &* 16 &+ 8, as: UInt64.self)
  }

  /// Sets any value of the column's type, or null; traps on another type.
  package func set(_ slot: Int, _ value: StoredValue) {
    if type == .mixed, !value.isNull { return value.mixedBytes.withUnsafeBytes { setBytes(slot, $0) } }
    switch value {
    case .null: setNull(slot)
    case .bool(let value): setBool(slot, value)
    case .int(let value):
      precondition(type == .int, "not a column of integers")
      setInt(slot, value)
    case .float(let value): setFloat(slot, value)
    case .double(let value): setDouble(slot, value)
    case .string(let value):
      precondition(type == .string, "not a column of strings")
      setString(slot, value)
    case .data(let value):
      precondition(type == .data, "not a column of data")
      value.withUnsafeBytes { setBytes(slot, $0) }
    case .date(let value): setDate(slot, value)
    case .uuid(let value): setUUID(slot, value)
    case .objectId(let value): setObjectId(slot, value)
    case .decimal128(let value): setDecimal128(slot, value)
    case .link(let key):
      precondition(type == .link, "not a column of links")
      setLink(slot, key)
    case .object, .list, .dictionary: preconditionFailure("not a column of mixed values")
    }
  }

  // MARK: - Getting

  @inline(__always) package func bool(_ slot: Int) -> Bool {
    precondition(codec == .bits, "not a column of bools")
    check(slot)
    return ColumnBuffer.test(words, slot)
  }

  /// An integer, a link's key, or a date's seconds.
  @inline(__always) package func int(_ slot: Int) -> Int64 {
    precondition(codec == .integers || codec == .dates, "not a column of integers")
    check(slot)
    return integers[slot]
  }

  /// The key of the linked object; nil for no link.
  @inline(__always) package func link(_ slot: Int) -> ObjectKey? {
    isNull(slot) ? nil : ObjectKey(rawValue: UInt64(bitPattern: int(slot)))
  }

  @inline(__always) package func float(_ slot: Int) -> Float {
    precondition(type == .float, "not a column of floats")
    check(slot)
    return values.assumingMemoryBound(to: Float.self)[slot]
  }

  @inline(__always) package func double(_ slot: Int) -> Double {
    precondition(type == .double, "not a column of doubles")
    check(slot)
    return values.assumingMemoryBound(to: Double.self)[slot]
  }

  @inline(__always) package func date(_ slot: Int) -> Timestamp {
    precondition(codec == .dates, "not a column of dates")
    check(slot)
    return Timestamp(seconds: integers[slot], nanoseconds: nanoseconds?[slot] ?? 0)
  }

  package func uuid(_ slot: Int) -> UUID {
    precondition(type == .uuid, "not a column of UUIDs")
    check(slot)
    return UUID(uuid: values.loadUnaligned(fromByteOffset: slot &* 16, as: uuid_t.self))
  }

  package func objectId(_ slot: Int) -> ObjectIdBytes {
    precondition(type == .objectId, "not a column of ObjectIds")
    check(slot)
    return ObjectIdBytes(
      high: UInt64(bigEndian: values.loadUnaligned(fromByteOffset: slot &* 12, as: UInt64.self)),
      low: UInt32(bigEndian: values.loadUnaligned(fromByteOffset: slot &* 12 &+ 8, as: UInt32.self)))
  }

  package func decimal128(_ slot: Int) -> Decimal128Bits {
    precondition(type == .decimal128, "not a column of decimals")
    check(slot)
    return Decimal128Bits(
      high: values.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self),
      low: values.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self))
  }

  /// The value of a slot. Traps on a large slot: ask `isLarge` first.
  package func value(_ slot: Int) -> StoredValue {
    if isNull(slot) { return .null }
    switch type {
    case .bool: return .bool(bool(slot))
    case .int: return .int(int(slot))
    case .float: return .float(float(slot))
    case .double: return .double(double(slot))
    case .string: return .string(string(slot))
    case .data: return .data(Data(bytes(slot)))
    case .date: return .date(date(slot))
    case .uuid: return .uuid(uuid(slot))
    case .objectId: return .objectId(objectId(slot))
    case .decimal128: return .decimal128(decimal128(slot))
    case .link: return .link(ObjectKey(rawValue: UInt64(bitPattern: int(slot))))
    case .mixed:
      guard let value = try? MixedCodec.decode(bytes(slot)) else {
        preconditionFailure("a column was filled from a leaf whose mixed values were not checked")
      }
      return value
    }
  }

  @inline(never) func allocateNanoseconds() -> UnsafeMutablePointer<UInt32> {
    if let nanoseconds { return nanoseconds }
    let fresh = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    fresh.initialize(repeating: 0, count: capacity)
    nanoseconds = fresh
    return fresh
  }
}
