import LarderStorage

/// Texts that were seen, told apart by their bytes. Grows; nothing is taken out.
struct TextSet {
  private struct Entry {
    var hash: UInt64
    var start: Int
    var count: Int
  }

  /// Numbers of entries; -1 where there is none. A power of two, at most half of them taken.
  private var places = [Int32](repeating: -1, count: 64)
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Differs between sets, so that no data can be made that always collides.
  private let seed = UInt64.random(in: .min ... .max)

  /// Adds a text; false when it was there.
  mutating func insert(_ text: UnsafeRawBufferPointer) -> Bool {
    let hash = Checksum64.hash(text, seed: seed)
    let mask = places.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] >= 0 {
      let entry = entries[Int(places[place])]
      if entry.hash == hash, holds(entry, text) { return false }
      place = (place &+ 1) & mask
    }
    places[place] = Int32(entries.count)
    entries.append(Entry(hash: hash, start: bytes.count, count: text.count))
    bytes.append(contentsOf: text)
    if entries.count &* 2 > places.count { grow() }
    return true
  }

  @inline(__always)
  private func holds(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
    guard entry.count == text.count else { return false }
    return bytes.withUnsafeBytes {
      TextMatcher.equal(UnsafeRawBufferPointer(rebasing: $0[entry.start..<entry.start &+ entry.count]), text)
    }
  }

  private mutating func grow() {
    places = Array(repeating: -1, count: places.count * 2)
    let mask = places.count - 1
    for (number, entry) in entries.enumerated() {
      var place = Int(truncatingIfNeeded: entry.hash) & mask
      while places[place] >= 0 { place = (place + 1) & mask }
      places[place] = Int32(number)
    }
  }
}
