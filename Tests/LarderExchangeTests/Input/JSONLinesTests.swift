import Foundation
import LarderExchange
import TestSupport
import Testing

@Suite struct JSONLinesTests {
  @Test func everyKindOfValueIsRead() throws {
    try withTemporaryDirectory { directory in
      let text = #"{"a": null, "b": [true, false, 0, -7, 2.5e3], "c": {"d": "é\u00e9\ud83d\ude00\n\"\\"}, "e": ""}"#
      let path = try directory.write("\u{FEFF}" + text + "\r\n\n  \n{}", to: "x.jsonl")
      let records = try readAll(path)
      #expect(records.count == 2)
      #expect(
        records[0] == ["a": "null", "b": "[true,false,0,-7,2.5e3]", "c": "{d:\"éé😀\n\"\\\"}", "e": "\"\""])
      #expect(records[1] == [:])
    }
  }

  @Test(
    arguments: [
      (#"{"a": 1,}"#, 9, "field name"), (#"{"a" 1}"#, 6, "':'"), (#"{"a": 01}"#, 7, "start with 0"),
      (#"{"a": tru}"#, 7, "JSON value"), (#"{"a": "x}"#, 7, "not closed"), (#"{"a": "\x"}"#, 8, "escape"),
      (#"{"a": "é", "b": -}"#, 18, "digit"), (#"{"a": [1 2]}"#, 10, "array"), ("[1]", 1, "object"),
      (#"{"a": 1} x"#, 10, "nothing more"), (#"{"a": "\ud800"}"#, 8, "surrogate"), (#"{"a": 1."#, 9, "point"),
      (#"{"a": 1"#, 8, "','"), ("{\"a\": \"\t\"}", 8, "control character"), (#"{"a": "\u12"}"#, 8, "hexadecimal"),
      (#"{"a": 1, "b": {"": 2, "": 3}}"#, 23, "twice"),
    ])
  func aFaultHasItsLineAndColumn(_ line: String, _ column: Int, _ words: String) throws {
    let found = try #require(try fault(in: "{\"a\": 0}\n" + line, name: "x.jsonl"))
    #expect(found.line == 2)
    #expect(found.column == column)
    #expect(found.message.contains(words), "\(found)")
    #expect(found.description.contains("x.jsonl:2:\(column): "))
  }

  @Test func invalidUTF8IsAFaultWhereItStands() throws {
    let found = try #require(
      try fault(in: Array(#"{"é": ""#.utf8) + [0x61, 0xFF] + Array(#""}"#.utf8), name: "x.jsonl"))
    #expect((found.line, found.column) == (1, 9))
    #expect(found.message.contains("UTF-8"))
  }

  @Test func deepNestingIsAFaultAndNoCrash() throws {
    let deep = String(repeating: "[", count: 200_000)
    let found = try #require(try fault(in: "{\"a\": \(deep)", name: "x.jsonl"))
    #expect(found.message.contains("nested"))
  }

  @Test func randomBytesNeverTrap() throws {
    var random = SeededRandom.forTest()
    let seed = Array(#"{"a": [1, -2.5e1, "x\u00e9\n", true, null], "b": {"c": "日本"}}"#.utf8)
    try withTemporaryDirectory { directory in
      for _ in 0..<400 {
        var bytes = seed
        for _ in 0...random.int(0...3) {
          switch random.int(0...2) {
          case 0: bytes[random.int(0..<bytes.count)] = UInt8(truncatingIfNeeded: random.next())
          case 1: bytes.remove(at: random.int(0..<bytes.count))
          default: bytes.insert(random.pick(seed), at: random.int(0..<bytes.count))
          }
        }
        let path = try directory.write(bytes, to: "x.jsonl")
        do {
          _ = try readAll(path)
        } catch let fault as InputFault {
          #expect(fault.line >= 1 && fault.column >= 1 && fault.column <= bytes.count + 1)
        }
      }
    }
  }

  @Test func agreesWithFoundationOnTheCountries() throws {
    let path = fixtures + "/geonames/countries.jsonl"
    let records = try readAll(path)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(records.count == 252)
    for (record, line) in zip(records, lines) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      #expect(record.count == object.count)
      for (name, value) in object {
        let expected = (value as? String).map { "\"\($0)\"" } ?? "\(value)"
        #expect(record[name] == expected)
      }
    }
  }
}
