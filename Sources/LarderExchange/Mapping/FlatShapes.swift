/// Notes what flat records hold: counts what was seen before, and leaves records with anything new to `FieldShapes`.
final class FlatShapes {
  private let forms: FlatForms
  private let places = PlaceTable(repeating: Place(), count: 0)
  /// By place and kind.
  private var counts: ContiguousArray<Int> = []
  @exclusivity(unchecked) private var records = 0

  private static let kinds = FieldShape.Kind.allCases.count
  /// The number of null, after the kinds, and of a field that is not there.
  private static let null = kinds
  private static let absent = kinds + 1
  private static let width = kinds + 2

  /// One field: mostly it holds what it held in the record before.
  private struct Place: BitwiseCopyable {
    var kind = FlatShapes.absent
    /// The first record of the run of that kind, which is not counted yet.
    var first = 0
    /// The kinds that `FieldShapes` has seen.
    var known: UInt32 = 1 << UInt32(FlatShapes.absent)
  }

  /// Nil where the forms cannot be seen in place.
  init?(_ forms: TextForms) {
    guard let flat = FlatForms(forms) else { return nil }
    self.forms = flat
  }

  /// Notes a record whose fields have the places that they have in `shapes`, which is asked for where a field is new; false, with nothing noted, where it brings something new.
  func note(_ row: FlatRow, _ shapes: () -> FieldShapes) -> Bool {
    let count = row.cells.count
    if count > places.count {
      guard count <= shapes().names.count else { return false }
      places.grow(to: count, repeating: Place(first: records))
      while counts.count < count * Self.width { counts.append(0) }
    }
    for place in 0..<count {
      let cell = row.cells[place]
      let kind: Int
      switch CellShape(cell, row.bytes, forms) {
      case .null: kind = cell.kind == .absent ? Self.absent : Self.null
      case .kind(let found): kind = found.rawValue
      case .unclear: return false
      }
      if places[place].kind != kind, !turn(place, kind, cell, shapes()) { return false }
    }
    records &+= 1
    return true
  }

  /// Begins a run of another kind.
  private func turn(_ place: Int, _ kind: Int, _ cell: FlatCell, _ shapes: FieldShapes) -> Bool {
    if places[place].known &>> UInt32(kind) & 1 == 0 {
      guard shapes.hasSeen(FieldShape.Kind(rawValue: kind), place, cell.kind == .text) else { return false }
      places[place].known |= 1 << UInt32(kind)
    }
    endRun(place)
    places[place].kind = kind
    return true
  }

  private func endRun(_ place: Int) {
    counts[place * Self.width + places[place].kind] += records - places[place].first
    places[place].first = records
  }

  /// Adds what was counted.
  func add(to shapes: inout FieldShapes) {
    shapes.add(records: records)
    for place in 0..<places.count {
      endRun(place)
      for kind in FieldShape.Kind.allCases { shapes.add(counts[place * Self.width + kind.rawValue], of: kind, place) }
      shapes.add(counts[place * Self.width + Self.null], of: nil, place)
    }
  }
}
