import LarderLMDB

/// Counters of very many classes: in records of their own, so that a commit writes those of the classes that it changed (F-64).
extension CatalogState {
  /// Classes of a part.
  static let partSize = 64
  /// With more class numbers than these the next commit puts the counters into parts.
  static let mostWhole = 128
  /// The bit of the number of classes that says that their counters are in parts.
  static let partsMark: UInt64 = 1 << 63

  static func partCount(_ classes: Int) -> Int { (classes + partSize - 1) / partSize }

  var isInParts: Bool { !parts.isEmpty }

  private func classes(ofPart part: Int) -> Range<Int> {
    part * Self.partSize..<min(counters.count, (part + 1) * Self.partSize)
  }

  /// The record of a part: the version that wrote it, and its counters.
  func encode(part: Int) -> [UInt8] {
    let classes = classes(ofPart: part)
    var record = RecordWriter()
    record.append(parts[part])
    record.append(words: 2 * classes.count) {
      let counters = counters[classes.lowerBound + $0 >> 1]
      return $0 & 1 == 0 ? counters.nextKey : counters.count
    }
    return CatalogSeal.seal(record.padded(), StoreLayout.statePartWord(part))
  }

  /// The version that wrote the record of a part.
  static func version(ofPart part: Int, _ view: ByteView) throws -> UInt64 {
    var reader = RecordReader(CatalogSeal.open(view, StoreLayout.statePartWord(part)), name: "state part")
    return try reader.read()
  }

  /// Marks the parts in which this state differs from the one before it as written by its version, and returns them.
  ///
  /// - Parameter mayBegin: Whether counters that are with the rest go to parts when they are too many.
  mutating func changeParts(after base: CatalogState, mayBegin: Bool = true) -> [Int] {
    guard base.isInParts || (mayBegin && counters.count > Self.mostWhole) else {
      parts = []
      return []
    }
    let count = Self.partCount(counters.count)
    let changed = (0..<count).filter { part in
      let classes = classes(ofPart: part)
      return part >= base.parts.count || classes.upperBound > base.counters.count
        || counters[classes] != base.counters[classes]
    }
    parts = base.parts
    while parts.count < count { parts.append(version) }
    for part in changed { parts[part] = version }
    return changed
  }

  /// Takes the counters from the parts' records.
  mutating func readParts(
    _ known: CatalogState?, isTrusted: Bool, _ record: (UInt64) throws -> [UInt8]?
  ) throws {
    let known = known.flatMap { $0.epoch == epoch && $0.counters.count == counters.count ? $0 : nil }
    if let known { counters = known.counters }
    for part in parts.indices where known.map({ $0.parts.isEmpty || $0.parts[part] != parts[part] }) ?? true {
      let range = classes(ofPart: part)
      do {
        guard let bytes = try record(StoreLayout.statePartWord(part)) else { throw damage(range, "is not there") }
        try bytes.withView { view in
          guard CatalogSeal.isSealed(view, StoreLayout.statePartWord(part)) else { throw damage(range, "is damaged") }
          var reader = RecordReader(CatalogSeal.open(view, StoreLayout.statePartWord(part)), name: "state part")
          guard try reader.read() as UInt64 == parts[part] else { throw damage(range, "is of another version") }
          let words = try reader.take(words: 2 * range.count)
          try reader.finish()
          counters.replaceSubrange(range, with: Self.counters(words))
        }
      } catch {
        if isTrusted { throw error }
        counters.replaceSubrange(range, with: range.map { _ in ClassCounters() })
      }
    }
  }

  private func damage(_ classes: Range<Int>, _ what: String) -> StorageError {
    StorageError(
      .corrupted,
      "The record of the catalog that counts classes number \(classes.lowerBound) to \(classes.upperBound - 1) \(what). "
        + "Run `larder repair`.")
  }
}

extension StoreLayout {
  /// The key of a part of the state, as a number.
  static func statePartWord(_ part: Int) -> UInt64 { stateWord + 1 + UInt64(part) }

  /// Returns true if a key of the catalog is that of a part of the state.
  static func isStatePart(_ word: UInt64) -> Bool { word > stateWord && word - stateWord <= 1 << 10 }
}
