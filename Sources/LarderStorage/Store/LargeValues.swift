import LarderLMDB

/// Strings and data too large for a leaf, cut into parts of a few pages in table `large`.
///
/// Key: column word, object key, part number (three big-endian words). The parts of a value are written, replaced and
/// removed together; the leaf holds its length.
enum LargeValues {
  /// Four overflow pages less their header and the seal of an encrypted store.
  static let partSize = 4 * 4096 - 16 - 32

  private static func key(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, part: Int) -> KeyBytes {
    KeyBytes(StoreLayout.columnWord(classID, column), key.rawValue, UInt64(part))
  }

  /// The whole value; throws `.corrupted` when its parts do not add up to a stored length.
  static func read(
    _ table: Table, _ classID: ClassID, _ column: ColumnID, _ object: ObjectKey,
    get: (Table, KeyBytes) throws -> ByteView?
  ) throws -> [UInt8] {
    guard let first = try get(table, key(classID, column, object, part: 0)), first.count >= 8 else {
      throw StorageError(
        .corrupted, "The large value of object \(object.rawValue), column \(column.rawValue), is missing.",
        key: object)
    }
    let length = Int(clamping: first.load(0, as: UInt64.self))
    guard length <= StoreLayout.maximumValueSize else {
      throw StorageError(.corrupted, "A large value of object \(object.rawValue) names \(length) bytes.", key: object)
    }
    var result: [UInt8] = []
    // The length is believed as parts of it are found.
    result.reserveCapacity(min(length, 1 << 16))
    var view = first.slice(8, first.count - 8)
    var part = 0
    while true {
      result.append(contentsOf: view.slice(0, min(view.count, length - result.count)).buffer)
      if result.count == length { return result }
      part += 1
      guard let next = try get(table, key(classID, column, object, part: part)), next.count > 0 else {
        throw StorageError(
          .corrupted, "Part \(part) of a large value of object \(object.rawValue) is missing.", key: object)
      }
      view = next
    }
  }

  /// Returns true if a value is the one that its leaf holds the hash of.
  static func isIntact(_ bytes: [UInt8], hash: UInt32) -> Bool {
    bytes.withUnsafeBytes { UInt32(truncatingIfNeeded: Checksum64.hash($0)) } == hash
  }

  static func damage(_ object: ObjectKey, _ entry: ClassDescriptor?, _ column: ColumnID) -> StorageError {
    let property = entry?.column(column)?.name
    return StorageError(
      .corrupted,
      "The large value of '\(entry?.name ?? "?").\(property ?? "?")' of object \(object.rawValue) does not match its "
        + "checksum. Run `larder check`.", className: entry?.name, property: property, key: object)
  }

  /// Stores a value, replacing an earlier one of any length.
  static func write(
    _ transaction: WriteTransaction, _ table: Table, _ classID: ClassID, _ column: ColumnID, _ object: ObjectKey,
    _ bytes: [UInt8]
  ) throws {
    try delete(transaction, table, classID, column, object)
    var part = 0
    var offset = 0
    repeat {
      var chunk: [UInt8] = []
      if part == 0 { withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { chunk.append(contentsOf: $0) } }
      let end = min(bytes.count, offset + partSize - chunk.count)
      chunk.append(contentsOf: bytes[offset..<end])
      chunk.append(contentsOf: [UInt8](repeating: 0, count: (8 - chunk.count % 8) % 8))
      try transaction.put(table, key(classID, column, object, part: part), chunk)
      offset = end
      part += 1
    } while offset < bytes.count
  }

  /// Removes every part of a value; harmless when there is none.
  static func delete(
    _ transaction: WriteTransaction, _ table: Table, _ classID: ClassID, _ column: ColumnID, _ object: ObjectKey
  ) throws {
    var part = 0
    while try transaction.delete(table, key(classID, column, object, part: part)) { part += 1 }
  }
}
