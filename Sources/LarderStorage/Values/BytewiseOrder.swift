import Foundation

/// The order of values that are compared byte by byte, unsigned, the shorter first when one begins the other; and the
/// equality and hash that go with it.
enum BytewiseOrder {
  /// Compares two strings by their UTF-8 bytes; below zero when `left` comes first.
  @inline(__always)
  static func compare(_ left: String, _ right: String) -> Int {
    let fast = left.utf8.withContiguousStorageIfAvailable { a in
      right.utf8.withContiguousStorageIfAvailable { b in
        compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
      }
    }
    if case .some(.some(let order)) = fast { return order }
    return Array(left.utf8).withUnsafeBytes { a in Array(right.utf8).withUnsafeBytes { b in compare(a, b) } }
  }

  /// Compares two runs of bytes.
  static func compare(_ left: Data, _ right: Data) -> Int {
    left.withUnsafeBytes { a in right.withUnsafeBytes { b in compare(a, b) } }
  }

  /// Compares two UUIDs by their sixteen bytes.
  static func compare(_ left: UUID, _ right: UUID) -> Int {
    withUnsafeBytes(of: left.uuid) { a in withUnsafeBytes(of: right.uuid) { b in compare(a, b) } }
  }

  /// Hashes a string by its UTF-8 bytes, so that two spellings of one character differ as they do in the order.
  static func hash(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, min(left.count, right.count))
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return left.count - right.count
  }
}

extension String {
  /// Returns true if the text is these bytes of UTF-8. Copies nothing of a native string.
  func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    var text = self
    return text.withUTF8 { text in
      UnsafeRawBufferPointer(text).isSame(as: bytes)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns true if the bytes are the same.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let first = baseAddress, let second = other.baseAddress else {
      return count == other.count
    }
    return memcmp(first, second, count) == 0
  }
}
