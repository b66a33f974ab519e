import LarderCrypto

/// The full-text index of a string column as queries see it: words in, object keys out.
///
/// Two pair trees. One holds each word of each text with how often it occurs there (`TextIndexEntry`), the other each object
/// with the number of its words. Words are those of `TextWords`.
package struct TextIndexView {
  private let words: PairReader
  private let lengths: PairReader
  private let hash: KeyedHash?

  /// - Parameter hash: Hashes words, in an encrypted store.
  init(words: PairReader, lengths: PairReader, hash: KeyedHash? = nil) {
    self.words = words
    self.lengths = lengths
    self.hash = hash
  }

  /// False in an encrypted store: then it finds whole words only, and `isPrefix` must not be asked for.
  package var hasPrefixes: Bool { hash == nil }

  private func bounds(_ word: String, isPrefix: Bool) throws -> (lower: PairBound, upper: PairBound) {
    precondition(hasPrefixes || !isPrefix, "an index of hashes knows whole words only")
    return TextIndexEntry.bounds(try TextIndexEntry.word(word, hash, words.tree.prefix), isPrefix: isPrefix)
  }

  /// Keys of the objects whose text has the word, or with `isPrefix` one that begins so; in no order, with repetitions when
  /// several words begin so.
  package func keys(of word: String, isPrefix: Bool = false) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    let (lower, upper) = try bounds(word, isPrefix: isPrefix)
    try words.forEachSpan(from: lower, to: upper) { block, pairs in
      block.appendKeys(pairs, to: &keys)
      return true
    }
    return keys
  }

  /// At least the number of these objects; some number above `limit` when there are more than that.
  package func count(of word: String, isPrefix: Bool = false, limit: Int = .max) throws -> Int {
    var count = 0
    let (lower, upper) = try bounds(word, isPrefix: isPrefix)
    try words.forEachSpan(from: lower, to: upper) { _, pairs in
      count += pairs.count
      return count <= limit
    }
    return count
  }

  /// Calls `body` with the objects whose text has the word, and how often it occurs there; with `isPrefix` once for each word
  /// that begins so. In no order.
  package func forEachOccurrence(
    of word: String, isPrefix: Bool = false, _ body: (ObjectKey, Int) -> Void
  ) throws {
    let (lower, upper) = try bounds(word, isPrefix: isPrefix)
    var keys: [ObjectKey] = []
    try words.forEachSpan(from: lower, to: upper) { block, pairs in
      for run in 0..<block.runs {
        let part = block.pairs(run: run).clamped(to: pairs)
        guard !part.isEmpty else { continue }
        keys.removeAll(keepingCapacity: true)
        block.appendKeys(part, to: &keys)
        let times = Int(block.string(run: run).last ?? 1)
        for key in keys { body(key, times) }
      }
      return true
    }
  }

  /// Calls `body` with every object that has words and their number, in order of keys. O(objects), a few nanoseconds each.
  package func forEachLength(_ body: (ObjectKey, Int) -> Void) throws {
    var counts: [ObjectKey] = []
    try lengths.forEachSpan(from: .unbounded, to: .unbounded) { block, pairs in
      for run in 0..<block.runs {
        let part = block.pairs(run: run).clamped(to: pairs)
        counts.removeAll(keepingCapacity: true)
        block.appendKeys(part, to: &counts)
        let key = ObjectKey(rawValue: block.word(run: run))
        // No text has so many words; what a damaged block says must not overflow a sum.
        for count in counts { body(key, Int(min(count.rawValue, UInt64(UInt32.max)))) }
      }
      return true
    }
  }

  /// Calls `body` with every entry of the words' tree: the entry's bytes and the object.
  func forEachEntry(_ body: ([UInt8], ObjectKey) -> Void) throws {
    var keys: [ObjectKey] = []
    try words.forEachSpan(from: .unbounded, to: .unbounded) { block, pairs in
      for run in 0..<block.runs {
        let part = block.pairs(run: run).clamped(to: pairs)
        keys.removeAll(keepingCapacity: true)
        block.appendKeys(part, to: &keys)
        let bytes = Array(block.string(run: run))
        for key in keys { body(bytes, key) }
      }
      return true
    }
  }
}

/// The value under which a full-text index holds an object: a word, a zero byte, and how often it occurs (1 to 255).
enum TextIndexEntry {
  static func bytes(_ word: [UInt8], _ count: UInt8) -> [UInt8] { word + [0, count] }

  /// A word as the tree with that prefix has it: its UTF-8, or a hash of that.
  static func word(_ word: String, _ hash: KeyedHash?, _ prefix: UInt64) throws -> [UInt8] {
    let bytes = Array(word.utf8)
    guard let hash else { return bytes }
    return try bytes.withUnsafeBytes { try hash.bytes(of: $0, in: prefix) }
  }

  /// Returns the bounds of the entries of a word, or of all words that begin so. No word has a zero byte, none a byte of 255; hashes have any bytes,
  /// but all are of one length.
  static func bounds(_ bytes: [UInt8], isPrefix: Bool) -> (lower: PairBound, upper: PairBound) {
    isPrefix
      ? (.inclusive(.bytes(bytes)), .exclusive(.bytes(bytes + [0xFF])))
      : (.inclusive(.bytes(bytes + [0])), .exclusive(.bytes(bytes + [1])))
  }
}
