import LarderStorage

/// The first value that an object is sorted by, as one word: of two objects whose words differ the one with the lower word sorts first; of those with
/// the same word more must be read.
///
/// The words are those that sorts are made with (`SortColumn`), with nil and nil links put below and above them.
package enum SortPrefix {
  /// The word of an object of which nothing is known.
  package static let unknown: UInt64 = 0
  /// Before all values, and after all.
  private static let (lowest, highest) = (UInt64(1), UInt64.max)

  /// - Parameters:
  ///   - word: A value as a sort has it, in the sort's direction.
  ///   - rank: 0 before all values, 2 after all, 1 for a value.
  @inline(__always)
  static func word(_ word: UInt64, rank: UInt8) -> UInt64 {
    switch rank {
    case 0: lowest
    case SortColumn.valueRank: min(max(word, lowest + 1), highest - 1)
    default: highest
    }
  }
}

extension SortKey {
  /// True if objects have words: the order of values in a property of one type is that of their bytes.
  package var hasPrefixes: Bool {
    guard case .path(let path) = target, collation == .binary || path.type != .string else { return false }
    switch path.type {
    case .int, .bool, .double, .float, .date, .string, .data, .objectId, .uuid: return true
    case .decimal128, .mixed, .link: return false
    }
  }

  /// The word of an object that has this value, where `hasPrefixes`; otherwise unknown.
  package func prefix(of value: SortValue) -> UInt64 {
    guard hasPrefixes else { return SortPrefix.unknown }
    var rank = SortColumn.valueRank
    var word: UInt64 = 0
    if value.linkIsNil {
      rank = 2
    } else if value.value.isNull {
      rank = 0
    } else if let found = SortColumn.word(value.value) {
      word = found
    } else {
      return SortPrefix.unknown
    }
    return isAscending ? SortPrefix.word(word, rank: rank) : SortPrefix.word(~word, rank: 2 - rank)
  }
}

extension SortColumn {
  /// The word of a value as it is read from leaves, for an ascending sort; nil for types that are sorted otherwise.
  static func word(_ value: StoredValue) -> UInt64? {
    switch value {
    case .int(let number): UInt64(bitPattern: number) ^ 1 << 63
    case .bool(let flag): flag ? 1 : 0
    case .double(let number): UInt64(bitPattern: ValueOrder.total(number)) ^ 1 << 63
    case .float(let number): UInt64(bitPattern: ValueOrder.total(Double(number))) ^ 1 << 63
    case .date(let time): UInt64(bitPattern: time.seconds) ^ 1 << 63
    case .string(var text): text.withUTF8 { prefix(UnsafeRawBufferPointer($0)) }
    case .data(let bytes): bytes.withUnsafeBytes { prefix($0) }
    case .objectId(let bytes): bytes.high
    case .uuid(let id): withUnsafeBytes(of: id.uuid) { prefix($0) }
    case .null, .decimal128, .link, .object, .list, .dictionary: nil
    }
  }

  /// The words of the objects in the order of the sort; `entries` gives their places.
  func prefixes(_ entries: some Sequence<SortEntry>) -> [UInt64] {
    entries.map { entry in
      let position = Int(entry.position)
      return SortPrefix.word(words[position], rank: ranks?[position] ?? Self.valueRank)
    }
  }
}

extension ResultsQuery {
  /// The keys of the results in order, with a word for each (`SortPrefix`) where the results are all objects that match, sorted by reading
  /// what they are sorted by; otherwise no words.
  package func keysWithPrefixes(in reader: any StoreReader) throws -> (keys: [ObjectKey], prefixes: [UInt64]) {
    try ResultsRun(self, reader, .planned).keysWithPrefixes()
  }
}
