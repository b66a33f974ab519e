import LarderLocks

/// What values of a file mean beyond their bytes.
final class FileContext: Sendable {
  let source: ByteSource
  let format: Int
  /// Positions in `RealmFile.classes`, by the keys of their tables.
  let classIndexes: [Int64: Int]

  private let enumerations = Lock<[Int: [String?]]>([:])
  private static let mostEnumerations = 64

  init(source: ByteSource, format: Int, classIndexes: [Int64: Int]) {
    self.source = source
    self.format = format
    self.classIndexes = classIndexes
  }

  /// The texts that a column's leaves name by number.
  func enumeration(_ offset: Int, _ reader: NodeReader) throws -> [String?] {
    if let known = enumerations.withLock({ $0[offset] }) { return known }
    let reader = NodeReader(source: source, limit: WorkLimit(size: source.size), place: reader.place)
    let list = try reader.strings(reader.node(offset), isOptional: true, count: nil)
    enumerations.withLock {
      if $0.count >= Self.mostEnumerations { $0 = [:] }
      $0[offset] = list
    }
    return list
  }
}
