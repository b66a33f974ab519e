/// The filters of a long list, made while links are looked for in it, so that the next ones are found without looking at every element.
///
/// A filter of a chunk tells which links are in it or below it; it is made when a search first comes to the chunk. An element that is removed leaves
/// the filters as they are, one that is inserted is added to those above it: a filter may name a link that is not there, and never misses one. What a
/// search finds is read from the chunks themselves.
final class LinkSearch {
  private var filters: [UInt32: LinkFilter] = [:]
  /// Bytes of all filters.
  private(set) var bytes = 0
  /// Elements that were looked at, and filters that were asked: what searches have cost.
  @exclusivity(unchecked) var steps = 0

  var isEmpty: Bool { filters.isEmpty }

  /// The filter of a chunk, unless it has to be made.
  func filter(_ chunk: UInt32) -> LinkFilter? { filters[chunk].flatMap { $0.isFull ? nil : $0 } }

  func keep(_ filter: LinkFilter, _ chunk: UInt32) {
    forget(chunk)
    bytes += filter.bytes
    filters[chunk] = filter
  }

  func add(_ word: UInt64, to chunk: UInt32) { filters[chunk]?.add(word) }

  /// To be called when a chunk takes in elements otherwise, and when its number comes to mean another one.
  func forget(_ chunk: UInt32) {
    if let filter = filters.removeValue(forKey: chunk) { bytes -= filter.bytes }
  }

  func reset() {
    filters = [:]
    bytes = 0
  }
}

/// A set of words that may say of a word that is not in it that it is (a Bloom filter), of two bytes a word: of 300 such words about one.
struct LinkFilter {
  private static let bitsEach = 12
  private static let probes: UInt64 = 4

  private var bits: [UInt64]
  private let room: Int
  private var count = 0

  /// - Parameter count: Words that are about to be added; a quarter more have room.
  init(count: Int) {
    room = max(64, count + count / 4)
    bits = [UInt64](repeating: 0, count: (room * Self.bitsEach + 63) / 64)
  }

  var bytes: Int { 8 * bits.count }

  /// True if more words were added than there is room for; it still misses none.
  var isFull: Bool { count > room }

  mutating func add(_ word: UInt64) {
    count += 1
    let (first, step) = Self.hash(word)
    for probe in 0..<Self.probes {
      let place = place(first &+ probe &* step)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  func mayHold(_ word: UInt64) -> Bool {
    let (first, step) = Self.hash(word)
    for probe in 0..<Self.probes {
      let place = place(first &+ probe &* step)
      if bits[place >> 6] & 1 << UInt64(place & 63) == 0 { return false }
    }
    return true
  }

  private func place(_ hash: UInt64) -> Int { Int(((hash & 0xFFFF_FFFF) &* UInt64(64 * bits.count)) >> 32) }

  private static func hash(_ word: UInt64) -> (first: UInt64, step: UInt64) {
    var mixed = (word ^ word >> 31) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 32
    return (mixed & 0xFFFF_FFFF, mixed >> 32 | 1)
  }
}
