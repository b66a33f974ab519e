/// What is at one place of a flat record.
enum CellKind: UInt8, BitwiseCopyable {
  /// The record has no such field.
  case absent
  case null, yes, no
  /// A whole number in the form of JSON, of at most 18 digits.
  case integer
  /// Another number in the form of JSON.
  case number
  /// A string without escapes, or a field of CSV.
  case string, text
}

/// One value of a record that is read in place: where its bytes are, without quotes.
struct FlatCell: BitwiseCopyable {
  var kind: CellKind
  var start: Int
  var end: Int

  @inline(__always)
  var range: Range<Int> { Range(uncheckedBounds: (start, end)) }

  static let absent = FlatCell(kind: .absent, start: 0, end: 0)
}

/// The values of a flat record by the places of their fields; used again for each record.
final class FlatCells {
  private let cells = PlaceTable(repeating: FlatCell.absent, count: 16)
  @exclusivity(unchecked) private(set) var count = 0

  @inline(__always)
  subscript(_ place: Int) -> FlatCell {
    precondition(place < count, "no such field")
    return cells[place]
  }

  /// Empties all: each of so many places is then absent.
  func reset(_ places: Int) {
    cells.grow(to: places, repeating: .absent)
    for place in 0..<places { cells[place] = .absent }
    count = places
  }

  @inline(__always)
  func removeAll() { count = 0 }

  @inline(__always)
  func append(_ kind: CellKind, _ start: Int, _ end: Int) {
    if count == cells.count { cells.grow(to: 2 * count, repeating: .absent) }
    cells[count] = FlatCell(kind: kind, start: start, end: end)
    count &+= 1
  }

  /// Fills a place that is absent so far; false when it is not.
  @inline(__always)
  func fill(_ place: Int, _ kind: CellKind, _ start: Int, _ end: Int) -> Bool {
    guard place < count, cells[place].kind == .absent else { return false }
    cells[place] = FlatCell(kind: kind, start: start, end: end)
    return true
  }
}

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

/// What `FlatReader` did.
enum FlatStep {
  case taken
  case record(InputRecord)
  case end
}
