/// Finds the values of a line of JSON in place, when the line is an object of scalars.
struct JSONSplitter {
  /// Fields by place, and their names as they are between quotes.
  private(set) var names: [String] = []
  private var spellings: [ContiguousArray<UInt8>] = []
  /// The bytes between the end of a value and the next value, for each field of a line that has all fields in their order: most lines
  /// have the same ones. Empty before such a line was read.
  private var leads = ContiguousArray<UInt8>()
  private var leadEnds = ContiguousArray<Int>()
  private static let quotes = TextBytes.repeated(UInt8(ascii: "\""))
  private static let backslashes = TextBytes.repeated(UInt8(ascii: "\\"))
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  /// With more fields, those that come in another order than usual are left to the general reader.
  private static let searchedNames = 64
  /// With more, each record is likely to have a few of them.
  private static let mostNames = 1024

  /// Gives places to fields that have none yet.
  mutating func learn(_ fields: [InputField]) {
    guard fields.count > names.count || zip(fields, names).contains(where: { !ByteName.areSame($0.name, $1) }) else {
      return
    }
    let known = Set(names.map { ByteName($0) })
    for field in fields where !known.contains(ByteName(field.name)) {
      names.append(field.name)
      spellings.append(ContiguousArray(field.name.utf8))
    }
    leadEnds = []
  }

  /// False for what the general reader has to look at: nested values, escapes, names that have no place, faults.
  mutating func split(_ bytes: TextBytes, _ line: Range<Int>, into cells: FlatCells) -> Bool {
    guard 1...Self.mostNames ~= names.count else { return false }
    if leadEnds.count == names.count, let seen = splitLikeOthers(bytes, line, into: cells) {
      return seen & Self.highBits == 0 || bytes.isUTF8(line)
    }
    cells.reset(names.count)
    var cursor = Cursor(bytes: bytes, index: line.lowerBound, end: line.upperBound)
    cursor.skipSpace()
    guard cursor.take(UInt8(ascii: "{")) else { return false }
    var (expected, isInOrder) = (0, true)
    while true {
      cursor.skipSpace()
      guard cursor.take(UInt8(ascii: "\"")), let name = cursor.string(), let place = place(of: name, bytes, expected)
      else { return false }
      isInOrder = isInOrder && place == expected
      expected = place &+ 1
      cursor.skipSpace()
      guard cursor.take(UInt8(ascii: ":")) else { return false }
      cursor.skipSpace()
      guard let (kind, range) = cursor.value(), cells.fill(place, kind, range.lowerBound, range.upperBound) else {
        return false
      }
      cursor.skipSpace()
      if cursor.take(UInt8(ascii: ",")) { continue }
      guard cursor.take(UInt8(ascii: "}")) else { return false }
      break
    }
    cursor.skipSpace()
    guard cursor.index == cursor.end, cursor.seen & Self.highBits == 0 || bytes.isUTF8(line) else { return false }
    if isInOrder, expected == names.count { learnLeads(bytes, line, cells) }
    return true
  }

  /// Splits a line that has between its values what another line had; all bytes of its strings combined, or nil for another line.
  @inline(__always)
  private func splitLikeOthers(_ bytes: TextBytes, _ line: Range<Int>, into cells: FlatCells) -> UInt64? {
    cells.removeAll()
    var cursor = Cursor(bytes: bytes, index: line.lowerBound, end: line.upperBound)
    var start = 0
    for end in leadEnds {
      guard cursor.take(leads, start..<end), let (kind, range) = cursor.value() else { return nil }
      cells.append(kind, range.lowerBound, range.upperBound)
      start = end
    }
    guard cursor.take(UInt8(ascii: "}")) else { return nil }
    cursor.skipSpace()
    return cursor.index == cursor.end ? cursor.seen : nil
  }

  /// Keeps what is between the values of a line that was split.
  private mutating func learnLeads(_ bytes: TextBytes, _ line: Range<Int>, _ cells: FlatCells) {
    var end = line.lowerBound
    (leads, leadEnds) = ([], [])
    for place in names.indices {
      // Strings are without their quotes.
      let (cell, quote) = (cells[place], cells[place].kind == .string ? 1 : 0)
      leads.append(contentsOf: bytes.buffer(end..<cell.start - quote))
      leadEnds.append(leads.count)
      end = cell.end + quote
    }
  }

  @inline(__always)
  private func place(of name: Range<Int>, _ bytes: TextBytes, _ expected: Int) -> Int? {
    if expected < spellings.count, bytes.equals(spellings[expected], name) { return expected }
    guard spellings.count <= Self.searchedNames else { return nil }
    return spellings.firstIndex { bytes.equals($0, name) }
  }

  private struct Cursor {
    let bytes: TextBytes
    var index: Int
    let end: Int
    /// All bytes of strings, combined.
    var seen: UInt64 = 0

    @inline(__always)
    mutating func skipSpace() {
      while index < end {
        switch bytes[index] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index &+= 1
        default: return
        }
      }
    }

    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
      guard index < end, bytes[index] == byte else { return false }
      index &+= 1
      return true
    }

    /// Takes some of these bytes, or none where others are there.
    @inline(__always)
    mutating func take(_ leads: ContiguousArray<UInt8>, _ part: Range<Int>) -> Bool {
      guard end &- index >= part.count, bytes.equals(leads, part, at: index) else { return false }
      index &+= part.count
      return true
    }

    /// Returns the range after a quote up to the next one; nil where it holds escapes or control characters.
    @inline(__always)
    mutating func string() -> Range<Int>? {
      let start = index
      while index &+ 8 <= end {
        let word = bytes.word(index)
        let quotes = TextBytes.matches(word, JSONSplitter.quotes)
        let odd = TextBytes.matches(word, JSONSplitter.backslashes) | Self.controls(word)
        if quotes | odd != 0 {
          let place = index &+ quotes.trailingZeroBitCount &>> 3
          guard quotes != 0, odd == 0 || odd.trailingZeroBitCount > quotes.trailingZeroBitCount else { return nil }
          seen |= word
          index = place &+ 1
          return start..<place
        }
        seen |= word
        index &+= 8
      }
      while index < end {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\"") {
          index &+= 1
          return start..<index &- 1
        }
        guard byte != UInt8(ascii: "\\"), byte >= 0x20 else { return nil }
        seen |= UInt64(byte)
        index &+= 1
      }
      return nil
    }

    /// Marks bytes below 0x20; it may also mark bytes above such a one.
    @inline(__always)
    private static func controls(_ word: UInt64) -> UInt64 {
      (word &- TextBytes.repeated(0x20)) & ~word & JSONSplitter.highBits
    }

    @inline(__always)
    mutating func value() -> (CellKind, Range<Int>)? {
      guard index < end else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index &+= 1
        return string().map { (.string, $0) }
      case UInt8(ascii: "t"): return word("true", .yes)
      case UInt8(ascii: "f"): return word("false", .no)
      case UInt8(ascii: "n"): return word("null", .null)
      default: return number()
      }
    }

    private mutating func word(_ text: StaticString, _ kind: CellKind) -> (CellKind, Range<Int>)? {
      let start = index
      for offset in 0..<text.utf8CodeUnitCount {
        guard index < end, bytes[index] == text.utf8Start[offset] else { return nil }
        index &+= 1
      }
      return (kind, start..<index)
    }

    @inline(__always)
    private mutating func digits() -> Int {
      let start = index
      while index < end, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
      return index &- start
    }

    private mutating func number() -> (CellKind, Range<Int>)? {
      let start = index
      _ = take(UInt8(ascii: "-"))
      let first = index
      let whole = digits()
      guard whole == 1 || (whole > 0 && bytes[first] != UInt8(ascii: "0")) else { return nil }
      var kind = CellKind.integer
      if take(UInt8(ascii: ".")) {
        kind = .number
        guard digits() > 0 else { return nil }
      }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        kind = .number
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        guard digits() > 0 else { return nil }
      }
      guard kind == .number || whole <= 18 else { return nil }
      return (kind, start..<index)
    }
  }
}
