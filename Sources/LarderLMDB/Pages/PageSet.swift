/// A set of pages of a file that are in use: a bit for each, in memory only near those that are.
struct PageSet {
  private static let pagesPerChunk: UInt64 = 1 << 16

  private let limit: UInt64
  /// Empty as long as none of its pages is in the set.
  private var chunks: [[UInt64]]

  /// - Parameter count: Pages from there on are taken to be in the set.
  init(count: UInt64) {
    limit = count
    chunks = Array(repeating: [], count: Int(count / Self.pagesPerChunk) + 1)
  }

  private static func place(_ number: UInt64) -> (chunk: Int, word: Int, bit: UInt64) {
    let rest = number % pagesPerChunk
    return (Int(number / pagesPerChunk), Int(rest / 64), 1 << (rest % 64))
  }

  func contains(_ number: UInt64) -> Bool {
    guard number < limit else { return true }
    let place = Self.place(number)
    return !chunks[place.chunk].isEmpty && chunks[place.chunk][place.word] & place.bit != 0
  }

  /// Puts a page in; false when it was.
  mutating func insert(_ number: UInt64) -> Bool {
    guard !contains(number) else { return false }
    let place = Self.place(number)
    if chunks[place.chunk].isEmpty {
      chunks[place.chunk] = Array(repeating: 0, count: Int(Self.pagesPerChunk / 64))
    }
    chunks[place.chunk][place.word] |= place.bit
    return true
  }
}
