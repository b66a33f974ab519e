/// Parts of a store as boxes, as large as the bytes they take.
package struct Treemap {
  private struct Box {
    var column: Int
    var row: Int
    var width: Int
    var height: Int
  }

  private let root: SpaceReport.Part
  private let width: Int
  private let height: Int
  private let depth: Int
  /// The text at each place of the terminal; empty after a wide character.
  private var cells: [[String]]

  /// A box that is smaller has no room for its lines.
  private static let smallest = (width: 4, height: 2)
  /// A character is about twice as high as it is wide.
  private static let aspect = 2

  /// - Parameters:
  ///   - width: Characters in a line, at least 20.
  ///   - height: Lines, at least 4.
  ///   - depth: Levels of boxes: 1 for classes, 2 for properties, 3 for what a property is made of.
  package init(_ root: SpaceReport.Part, width: Int, height: Int, depth: Int) {
    self.root = root
    self.width = max(20, width)
    self.height = max(4, height)
    self.depth = depth
    cells = Array(repeating: Array(repeating: " ", count: self.width), count: self.height)
    draw(root, Box(column: 0, row: 0, width: self.width, height: self.height), level: 0)
  }

  /// The map, line by line.
  package var text: String { cells.map { $0.joined() + "\n" }.joined() }

  private mutating func draw(_ part: SpaceReport.Part, _ box: Box, level: Int) {
    guard box.width >= Self.smallest.width, box.height >= Self.smallest.height else { return fill(box) }
    let (right, bottom) = (box.column + box.width - 1, box.row + box.height - 1)
    for column in box.column...right {
      cells[box.row][column] = "─"
      cells[bottom][column] = "─"
    }
    for row in box.row...bottom {
      cells[row][box.column] = "│"
      cells[row][right] = "│"
    }
    (cells[box.row][box.column], cells[box.row][right]) = ("┌", "┐")
    (cells[bottom][box.column], cells[bottom][right]) = ("└", "┘")
    write("\(part.name) \(StoreReport.bytes(part.bytes))", box)
    let inner = Box(column: box.column + 1, row: box.row + 1, width: box.width - 2, height: box.height - 2)
    // A lone part says nothing that its whole does not.
    guard level < depth, part.parts.count > 1 || level == 0 else { return }
    divide(part.parts[...], inner, level: level + 1)
  }

  /// Too small to be named.
  private mutating func fill(_ box: Box) {
    for row in box.row..<(box.row + box.height) {
      for column in box.column..<(box.column + box.width) { cells[row][column] = "·" }
    }
  }

  private mutating func write(_ text: String, _ box: Box) {
    let shown = DisplayWidth.cut(text, to: box.width - 3)
    var column = box.column + 1
    for character in shown {
      let size = DisplayWidth.of(String(character))
      // A mark that takes no place belongs to the character before it.
      guard size > 0 else { continue }
      cells[box.row][column] = String(character)
      if size > 1 { cells[box.row][column + 1] = "" }
      column += size
    }
  }

  /// Gives each of the parts, the largest first, its share of a box: halves of about the same size, again and again.
  private mutating func divide(_ parts: ArraySlice<SpaceReport.Part>, _ box: Box, level: Int) {
    guard box.width > 0, box.height > 0, let first = parts.first else { return }
    guard parts.count > 1 else { return draw(first, box, level: level) }
    let total = parts.reduce(0) { $0 + $1.bytes }
    var (half, middle) = (first.bytes, parts.startIndex + 1)
    while middle < parts.endIndex - 1, 2 * (half + parts[middle].bytes) <= total {
      half += parts[middle].bytes
      middle += 1
    }
    let isWide = box.width >= Self.aspect * box.height
    let length = isWide ? box.width : box.height
    let share = Int((Double(length) * Double(half) / Double(max(1, total))).rounded())
    var (one, other) = (box, box)
    if isWide {
      (one.width, other.width, other.column) = (share, length - share, box.column + share)
    } else {
      (one.height, other.height, other.row) = (share, length - share, box.row + share)
    }
    divide(parts[..<middle], one, level: level)
    divide(parts[middle...], other, level: level)
  }
}
