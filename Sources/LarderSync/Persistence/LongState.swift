import LarderStorage

/// Bytes of any number under one name: a record holds 16 MiB at most.
extension SyncWriting {
  private static let pieceSize = 8 << 20

  private static func piece(_ name: String, _ number: Int) -> String {
    number == 0 ? name : name + "/" + String(number, radix: 16)
  }

  /// Returns the bytes that `setLongState` has kept under a name; nil without any.
  func longState(_ name: String) throws -> [UInt8]? {
    var result: [UInt8]?
    var number = 0
    while let bytes = try state(Self.piece(name, number)), let isLast = bytes.first {
      result = (result ?? []) + bytes.dropFirst()
      if isLast == 1 { break }
      number += 1
    }
    return result
  }

  /// Keeps bytes under a name in as many records as they need, or forgets them.
  func setLongState(_ name: String, _ bytes: [UInt8]?) throws {
    var number = 0
    if let bytes {
      var start = 0
      repeat {
        let end = min(start + Self.pieceSize, bytes.count)
        try setState(Self.piece(name, number), [end == bytes.count ? 1 : 0] + bytes[start..<end])
        start = end
        number += 1
      } while start < bytes.count
    }
    while try state(Self.piece(name, number)) != nil {
      try setState(Self.piece(name, number), nil)
      number += 1
    }
  }
}
