import Foundation
import LarderLMDB

/// A read-only view of an encoded column leaf: the values of one column for the slots of a cluster, or a chunk of a list.
///
/// Making one reads the header and checks that every piece it names is within the bytes, so that no later read can leave
/// them, however damaged they are; it does not verify the checksum (`verify`). Accessors trap on a slot outside of
/// `0..<count` and give an arbitrary value for a null slot or a type that is not the leaf's own. Valid as long as `bytes`.
package struct LeafView: Sendable {
  package let bytes: ByteView
  /// The raw pieces, for kernels and property accessors.
  package let pointers: LeafPointers
  /// Number of null slots; slots without an object count as null where a null bitmap is stored.
  package let nullCount: Int
  /// Header fields: smallest and largest value, meaning by type.
  private let minimum: Int64
  private let maximum: Int64

  /// Reads the header. Throws `corrupted` when the bytes cannot be a leaf. O(1).
  package init(_ bytes: ByteView) throws(StorageError) {
    guard bytes.count >= LeafFormat.headerSize else { throw LeafView.damaged("is shorter than its header") }
    let header = bytes.base
    let flags = header.load(fromByteOffset: 10, as: UInt8.self)
    let count = Int(header.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    self.bytes = bytes
    self.nullCount = Int(header.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    self.minimum = header.loadUnaligned(fromByteOffset: 16, as: Int64.self)
    self.maximum = header.loadUnaligned(fromByteOffset: 24, as: Int64.self)
    guard flags & ~LeafFlag.all == 0, nullCount <= count else { throw LeafView.damaged("has unknown flags") }
    let layout = try LeafLayout(bytes, count: count, flags: flags, base: minimum)
    var base = minimum
    var step: Int64 = 0
    if flags & LeafFlag.linear != 0 {
      base = header.loadUnaligned(fromByteOffset: layout.payload, as: Int64.self)
      step = header.loadUnaligned(fromByteOffset: layout.payload + 8, as: Int64.self)
    }
    if let codes = layout.codes { step = Int64(layout.payload - codes) | Int64(layout.entries) << 32 }
    self.pointers = LeafPointers(
      payload: header + layout.payload, extra: layout.extra.map { header + $0 },
      nulls: layout.nulls.map { header + $0 },
      large: layout.large.map { header + $0 }, base: base, step: step, count: count, width: layout.width,
      codec: layout.codec.rawValue, flags: flags, type: layout.type)
  }

  /// Returns the number of bytes of a leaf that others follow, as its header says; nil when they cannot begin one.
  static func size(within bytes: ByteView) -> Int? {
    guard bytes.count >= LeafFormat.headerSize else { return nil }
    let flags: UInt8 = bytes.load(10)
    if flags & LeafFlag.sparse != 0 { return SparseLeaf.size(within: bytes) }
    guard flags & ~LeafFlag.all == 0 else { return nil }
    let (count, base) = (Int(bytes.load(12, as: UInt16.self)), bytes.load(16, as: Int64.self))
    return try? LeafLayout(within: bytes, count: count, flags: flags, base: base).size
  }

  /// Returns true if the bytes are a leaf whose checksum is right for this key. O(bytes), about 0.1 ns each.
  package static func verify(_ bytes: ByteView, key: UInt64) -> Bool {
    guard bytes.count >= LeafFormat.headerSize, bytes.count & 7 == 0 else { return false }
    let stored = bytes.base.loadUnaligned(as: UInt64.self)
    return Checksum64.hash(UnsafeRawBufferPointer(rebasing: bytes.buffer[8...]), seed: key) == stored
  }

  /// The column's type; nil for presence bits.
  @inline(__always) package var type: ColumnType? { ColumnType(rawValue: pointers.type) }
  @inline(__always) package var count: Int { Int(pointers.count) }
  @inline(__always) package var width: Int { Int(pointers.width) }
  @inline(__always) package var base: Int64 { pointers.base }
  /// The header's field, which is not the base of a linear leaf.
  @inline(__always) var storedBase: Int64 { minimum }
  @inline(__always) package var step: Int64 { pointers.step }
  @inline(__always) package var payload: UnsafeRawPointer { pointers.payload }
  @inline(__always) package var nulls: UnsafeRawPointer? { pointers.nulls }
  @inline(__always) package var hasNulls: Bool { pointers.nulls != nil }
  /// True if some slot's bytes are stored outside of the leaf.
  @inline(__always) package var hasLarge: Bool { pointers.large != nil }
  /// True if some float or double is not a number; `doubleRange` leaves it out.
  @inline(__always) package var hasNaN: Bool { pointers.flags & LeafFlag.notANumber != 0 }

  /// Integers, links, dates (seconds): a range that holds every present, non-null value; nil when there is none.
  package var integerRange: ClosedRange<Int64>? {
    guard pointers.codec == LeafCodec.integers.rawValue || pointers.codec == LeafCodec.dates.rawValue,
      pointers.flags & LeafFlag.range != 0, minimum <= maximum
    else { return nil }
    return minimum...maximum
  }

  /// Floats and doubles: a range that holds every present, non-null value except NaN; nil when there is none.
  package var doubleRange: ClosedRange<Double>? {
    guard pointers.codec == LeafCodec.fixed.rawValue, pointers.flags & LeafFlag.range != 0 else { return nil }
    let low = Double(bitPattern: UInt64(bitPattern: minimum))
    let high = Double(bitPattern: UInt64(bitPattern: maximum))
    return low <= high ? low...high : nil
  }

  static func damaged(_ what: String) -> StorageError {
    StorageError(.corrupted, "A stored column leaf \(what): the file is damaged. Verify it and restore a backup.")
  }
}

extension LeafView {
  @inline(__always)
  private func check(_ slot: Int) {
    precondition(slot >= 0 && slot < count, "slot outside of the leaf")
  }

  @inline(__always)
  package func isNull(_ slot: Int) -> Bool {
    check(slot)
    return pointers.isNull(slot)
  }

  @inline(__always)
  package func isLarge(_ slot: Int) -> Bool {
    check(slot)
    return pointers.isLarge(slot)
  }

  @inline(__always)
  package func bool(_ slot: Int) -> Bool {
    precondition(pointers.codec == LeafCodec.bits.rawValue, "not a leaf of bits")
    check(slot)
    return pointers.bool(slot)
  }

  /// An integer, a link's key, or a date's seconds.
  @inline(__always)
  package func int(_ slot: Int) -> Int64 {
    precondition(
      pointers.codec == LeafCodec.integers.rawValue || pointers.codec == LeafCodec.dates.rawValue,
      "not a leaf of integers")
    check(slot)
    return pointers.int(slot)
  }

  @inline(__always)
  package func float(_ slot: Int) -> Float {
    checkFixed(4)
    check(slot)
    return pointers.float(slot)
  }

  @inline(__always)
  package func double(_ slot: Int) -> Double {
    checkFixed(8)
    check(slot)
    return pointers.double(slot)
  }

  @inline(__always)
  package func date(_ slot: Int) -> Timestamp {
    precondition(pointers.codec == LeafCodec.dates.rawValue, "not a leaf of dates")
    check(slot)
    return pointers.timestamp(slot)
  }

  @inline(__always)
  package func uuid(_ slot: Int) -> UUID {
    checkFixed(16)
    check(slot)
    return pointers.uuid(slot)
  }

  @inline(__always)
  package func objectId(_ slot: Int) -> ObjectIdBytes {
    checkFixed(12)
    check(slot)
    return pointers.objectId(slot)
  }

  @inline(__always)
  package func decimal128(_ slot: Int) -> Decimal128Bits {
    checkFixed(16)
    check(slot)
    return pointers.decimal128(slot)
  }

  /// The key of the linked object; nil for no link.
  @inline(__always)
  package func link(_ slot: Int) -> ObjectKey? {
    isNull(slot) ? nil : ObjectKey(rawValue: UInt64(bitPattern: int(slot)))
  }

  /// The bytes of a string or data; of a large slot, its stub.
  @inline(__always)
  package func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    precondition(
      pointers.codec == LeafCodec.bytes.rawValue || pointers.isDictionary, "not a leaf of strings or data")
    check(slot)
    return pointers.bytes(slot)
  }

  @inline(__always)
  package func string(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }

  /// Length and low hash half of a value that lives outside of the leaf; nil for other slots.
  package func largeStub(_ slot: Int) -> (length: Int, hash: UInt32)? {
    guard isLarge(slot) else { return nil }
    let stub = bytes(slot)
    guard stub.count == LeafFormat.stubSize else { return (0, 0) }
    return (Int(stub.loadUnaligned(as: UInt32.self)), stub.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }

  /// The value of a slot as the column's type. Throws `internalError` for a large slot (ask `isLarge` and read it from where
  /// it lives) and for presence bits.
  package func value(_ slot: Int) throws(StorageError) -> StoredValue {
    guard let type else { throw StorageError(.internalError, "Presence bits hold no values.") }
    if isNull(slot) { return .null }
    switch type {
    case .bool: return .bool(bool(slot))
    case .int: return .int(int(slot))
    case .float: return .float(float(slot))
    case .double: return .double(double(slot))
    case .string, .data, .mixed:
      guard !isLarge(slot) else { throw StorageError(.internalError, "A large value was read from its leaf.") }
      if type == .mixed { return try MixedCodec.decode(bytes(slot)) }
      return type == .string ? .string(string(slot)) : .data(Data(bytes(slot)))
    case .date: return .date(date(slot))
    case .uuid: return .uuid(uuid(slot))
    case .objectId: return .objectId(objectId(slot))
    case .decimal128: return .decimal128(decimal128(slot))
    case .link: return .link(ObjectKey(rawValue: UInt64(bitPattern: int(slot))))
    }
  }

  /// Decodes every mixed value once, so that a copy of the leaf can do without errors; other leaves need no such check.
  func checkMixed() throws(StorageError) {
    guard type == .mixed else { return }
    for slot in 0..<count where !isNull(slot) && !isLarge(slot) { _ = try MixedCodec.decode(bytes(slot)) }
  }

  /// The bits of a presence or bool leaf, as a bitmap of at least `capacity` bits.
  package func bitmap(capacity: Int = 0) -> Bitmap {
    precondition(pointers.codec == LeafCodec.bits.rawValue, "not a leaf of bits")
    let words = (0..<Bitmap.wordCount(count)).map { pointers.bitWord($0) }
    return Bitmap(words: Bitmap(words: words, count: count).words, count: max(count, capacity))
  }

  @inline(__always)
  private func checkFixed(_ width: Int) {
    precondition(
      pointers.codec == LeafCodec.fixed.rawValue && self.width == width, "not a leaf of values of that width")
  }
}
