/// A record whose values are scalars, where it was read to. Valid while the reader hands it out.
struct FlatRow {
  let bytes: TextBytes
  let cells: FlatCells
  /// The line it begins in.
  let line: Int
}

/// Reads records that hold scalars alone in place, and others one by one: what is read in place has no faults, and means what the record
/// would mean.
protocol FlatReader: InputReader {
  /// The names of the fields that have places, in their order; they become more while records are read.
  var fieldNames: [String] { get }

  /// Hands the next record to `take` where it can be read in place and `take` wants it, or returns it.
  ///
  /// - Throws: As `next`.
  func next(inPlace take: (FlatRow) throws -> Bool) throws -> FlatStep
}

/// The result of one step of a `FlatReader`.
enum FlatStep {
  case taken
  case record(InputRecord)
  case end
}
