/// The kind of the value at one place of a flat record.
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
  var range: Range<Int> {
    get { Range(uncheckedBounds: (start, end)) }
    set { (start, end) = (newValue.lowerBound, newValue.upperBound) }
  }

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
