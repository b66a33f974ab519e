import TestBasics

extension SeededRandom {
  /// The bytes, changed in one to four places: bits, bytes, stretches that are cut, doubled or taken from other bytes, and large numbers.
  mutating func mutated(_ bytes: [UInt8], with others: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<int(1...4) {
      let place = int(0...bytes.count)
      switch int(0..<8) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(int(0..<8))
      case 1 where place < bytes.count: bytes[place] = UInt8(int(0...255))
      case 2: bytes.insert(UInt8(int(0...255)), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + int(0..<4)))
      case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + int(0..<20))], at: place)
      case 5 where !others.isEmpty:
        let start = int(0..<others.count)
        bytes.insert(contentsOf: others[start..<min(others.count, start + int(0..<30))], at: place)
      case 6 where place < bytes.count: bytes.replaceSubrange(place...place, with: largeNumber())
      default: bytes.removeSubrange(place..<bytes.count)
      }
    }
    return bytes
  }

  /// The bytes of a number that is larger than what may be there, sometimes not in its shortest form.
  mutating func largeNumber() -> [UInt8] {
    switch int(0..<5) {
    case 0: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]
    case 1: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
    case 2: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    case 3: [0x80, 0x00]
    default: [0x80, 0x80, 0x40]
    }
  }
}
