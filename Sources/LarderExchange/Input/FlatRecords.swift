/// The records of a file, in place where its format allows that.
final class FlatRecords {
  private let reader: any InputReader
  private let flat: (any FlatReader)?
  var source: ByteSource { reader.source }
  var isBroken: Bool { reader.isBroken }
  /// Fields that the file names before its records.
  let headerNames: [String]
  var hasFrame: Bool { reader.hasFrame }

  init(_ reader: any InputReader) {
    self.reader = reader
    flat = reader as? any FlatReader
    headerNames = (reader as? CSVReader)?.fieldNames ?? []
  }

  /// Hands the next record to `take` with the names of the places, or returns it.
  ///
  /// - Throws: As `InputReader.next`.
  func next(_ take: (FlatRow, [String]) throws -> Bool) throws -> FlatStep {
    guard let flat else { return try reader.next().map { .record($0) } ?? .end }
    return try flat.next { try take($0, flat.fieldNames) }
  }
}
