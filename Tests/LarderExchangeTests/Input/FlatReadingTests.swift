import Foundation
import TestSupport
import Testing

@testable import LarderExchange

/// Records that are read in place are those that are read one by one.
@Suite struct FlatReadingTests {
  private func describe(_ row: FlatRow, _ names: [String]) -> [String] {
    (0..<row.cells.count).compactMap { place in
      let cell = row.cells[place]
      let text = row.bytes.string(cell.range)
      let value: InputValue
      switch cell.kind {
      case .absent: return nil
      case .null: value = .null
      case .yes: value = .bool(true)
      case .no: value = .bool(false)
      case .integer: value = .integer(Int64(text) ?? 0)
      case .number: value = .number(0, text: text)
      case .string: value = .string(text)
      case .text: value = .text(text)
      }
      return "\(names[place])=\(LarderExchangeTests.describe(value))"
    }
  }

  /// Reads a file's records, with faults among them, and counts those that were read in place.
  private func read(_ path: String, inPlace: Bool) throws -> (rows: [[String]], inPlace: Int) {
    guard let reader = try InputFormat(path: path)?.open(path) as? any FlatReader else { return ([], 0) }
    var rows: [[String]] = []
    var count = 0
    while !reader.isBroken {
      do {
        let step = try reader.next { row in
          guard inPlace else { return false }
          rows.append(["\(row.line)"] + describe(row, reader.fieldNames).sorted())
          count += 1
          return true
        }
        switch step {
        case .taken: break
        case .record(let record):
          rows.append(
            ["\(record.firstLine)"]
              + record.fields.map { "\($0.name)=\(LarderExchangeTests.describe($0.node.value))" }.sorted())
        case .end: return (rows, count)
        }
      } catch let fault as InputFault { rows.append(["fault", "\(fault.line)", "\(fault.column)", fault.message]) }
    }
    return (rows, count)
  }

  private func compare(_ text: [UInt8], _ name: String) throws {
    try withTemporaryDirectory { directory in
      let path = try directory.write(text, to: name)
      let fast = try read(path, inPlace: true)
      let slow = try read(path, inPlace: false)
      #expect(fast.rows == slow.rows, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  private static let pieces = [
    "a", "\"", "\"\"", ",", ",", "\n", "\n", "\r\n", "é", "1", "-2.5", "abcdefgh", "true", "2013-01-31", "\u{1F600}",
    " ", "\r", "null",
  ]

  @Test func anyCSV() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<400 {
      var text = Array("a,b,c\n".utf8)
      for _ in 0..<random.int(0...60) {
        if random.oneIn(60) {
          text.append(UInt8(random.int(128...255)))
        } else {
          text += Array(random.pick(Self.pieces).utf8)
        }
      }
      try compare(text, "x.csv")
    }
  }

  @Test func rowsOfCSVThatAreMostlyRight() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<100 {
      var text = "a,b,c\n"
      for _ in 0..<20 {
        text += (0..<3).map { _ in
          random.pick(["", "1", "x y", "\"q,r\"", "\"s\"\"t\"", "é", "\"two\nlines\"", "long text of some words"])
        }.joined(separator: ",")
        text += random.pick(["\n", "\r\n", "\n\n"])
      }
      try compare(Array(text.utf8), "x.csv")
    }
  }

  @Test func anyJSONLines() throws {
    var random = SeededRandom.forTest()
    let names = ["a", "b", "c", "ä", "a\\n"]
    let values = [
      "1", "-0", "01", "1.50", "1e3", "1.", "true", "nul", "null", "\"x\"", "\"a\\u0041\"", "\"é\"", "[1]", "{}",
      "\"\u{7}\"", "123456789012345678901", "\"open",
    ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<12 {
        let fields = (0..<random.int(0...4)).map { _ in
          "\"\(random.pick(names))\"\(random.pick([":", ": ", " :", ""])) \(random.pick(values))"
        }
        text += "{\(fields.joined(separator: random.pick([", ", ",", " "])))}\(random.pick(["", "", " ", "x"]))\n"
      }
      try compare(Array(text.utf8), "x.jsonl")
    }
  }

  @Test func linesOfJSONThatAreMostlyAlike() throws {
    var random = SeededRandom.forTest()
    let values = ["1", "-20", "1.50", "true", "null", "\"x\"", "\"\"", "\"é\"", "\"long text of some words\""]
    for _ in 0..<100 {
      let (gap, start) = (random.pick(["", " ", "  "]), random.pick(["", " "]))
      let names = ["first", "ä", "a longer name than eight bytes"]
      var text = ""
      for _ in 0..<16 {
        var fields = names.map { "\"\($0)\":\(random.oneIn(30) ? "" : gap)\(random.pick(values))" }
        if random.oneIn(12) { fields.swapAt(0, 2) }
        if random.oneIn(12) { fields.removeLast() }
        text +=
          "\(start){\(fields.joined(separator: ",\(gap)"))}\(random.oneIn(12) ? random.pick([" ", ",", "}", "1"]) : "")\n"
      }
      try compare(Array(text.utf8), "x.jsonl")
    }
  }

  @Test func whatIsUsualIsReadInPlace() throws {
    try withTemporaryDirectory { directory in
      let csv = try directory.write("a,b\n1,\"x\"\n2,é\n3,\n", to: "x.csv")
      #expect(try read(csv, inPlace: true).inPlace == 3)
      let json = try directory.write(
        "{\"a\": 1, \"b\": null}\n{\"a\": 2.5, \"b\": \"é\"}\n{\"b\": true}\n", to: "x.jsonl")
      #expect(try read(json, inPlace: true).inPlace == 2)
    }
  }
}
