import LarderLocks

/// The meaning of a file's values beyond their bytes.
final class FileContext: Sendable {
  let source: ByteSource
  let format: Int
  /// Positions in `RealmFile.classes`, by the keys of their tables.
  let classIndexes: [Int64: Int]

  private let enumerations = Lock<[Int: [String?]]>([:])
  /// Each list is read once and kept.
  private let limit: WorkLimit

  init(source: ByteSource, format: Int, classIndexes: [Int64: Int]) {
    self.source = source
    limit = WorkLimit(size: source.size)
    self.format = format
    self.classIndexes = classIndexes
  }

  /// The texts that a column's leaves name by number.
  func enumeration(_ offset: Int, _ reader: NodeReader) throws -> [String?] {
    let reader = NodeReader(source: source, limit: limit, place: reader.place)
    return try enumerations.withLock { enumerations in
      if let known = enumerations[offset] { return known }
      let list = try reader.strings(reader.node(offset), isOptional: true, count: .atMost(1 << 24))
      enumerations[offset] = list
      return list
    }
  }
}
