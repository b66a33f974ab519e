import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// Files of text in the forms that other programs write.
@Suite struct ImporterTests {
  private struct Outcome {
    var report: ImportReport
    var types: [String]
    var rows: [[StoredValue]]
  }

  private func imported(
    _ bytes: [UInt8], _ name: String, _ change: (inout ImportOptions) throws -> Void = { _ in }
  ) throws -> Outcome {
    let store = try TemporaryStore()
    var options = ImportOptions(path: try store.directory.write(bytes, to: name))
    options.className = "T"
    try change(&options)
    let report = try Importer(store: store.store, options: options).run()
    let snapshot = try store.store.snapshot()
    guard let entry = snapshot.schema["T"] else { return Outcome(report: report, types: [], rows: []) }
    var rows: [[StoredValue]] = []
    try snapshot.forEachKey(of: entry.id) { key in
      rows.append(try entry.columns.map { try snapshot.value(entry.id, $0.id, key) })
      return true
    }
    return Outcome(
      report: report, types: entry.columns.map { "\($0.name) \(TypeName.describe($0, in: snapshot.schema))" },
      rows: rows)
  }

  private func imported(
    _ text: String, _ name: String, _ change: (inout ImportOptions) throws -> Void = { _ in }
  ) throws -> Outcome {
    try imported(Array(text.utf8), name, change)
  }

  @Test(arguments: [",", ";", "\t", "|"])
  func separatorsAreFoundInTheFirstLines(_ separator: String) throws {
    let text = "a,b,c\n1,\"x;y|z\",2.5\n2,é,-1\n".replacing(",", with: separator)
    let outcome = try imported(text, "x.csv")
    #expect(outcome.types == ["a int", "b string", "c double"], "\(outcome)")
    #expect(outcome.rows.map { $0[2] } == [.double(2.5), .double(-1)])
    #expect(outcome.report.notices.isEmpty == (separator == ","))
  }

  @Test func apostrophesMayEnclose() throws {
    let outcome = try imported("a,b\n'1,5','it''s'\n'2','x'\n", "x.csv")
    #expect(outcome.rows.map { $0[0] } == [.string("1,5"), .string("2")], "\(outcome)")
    let plain = try imported("a,b\nit's,x\n'tis,y\n", "x.csv")
    #expect(plain.rows.map { $0[0] } == [.string("it's"), .string("'tis")])
  }

  @Test func withoutAHeaderFieldsAreNumbered() throws {
    let outcome = try imported("1,x\n2,y\n", "x.csv") { $0.reading.hasHeader = false }
    #expect(outcome.types == ["field1 int", "field2 string"] && outcome.rows.count == 2)
  }

  @Test func encodingsAreTurnedIntoUTF8() throws {
    let text = "name,n\nGröße €,1\n😀,2\n"
    let wanted: [[StoredValue]] = [[.string("Größe €"), .int(1)], [.string("😀"), .int(2)]]
    let little = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try imported([0xFF, 0xFE] + little, "x.csv").rows == wanted)
    #expect(try imported([0xFE, 0xFF] + big, "x.csv").rows == wanted)
    #expect(try imported(little, "x.csv") { $0.reading.encoding = .utf16le }.rows == wanted)
    #expect(try imported([0xEF, 0xBB, 0xBF] + Array(text.utf8), "x.csv").rows == wanted)
    let latin: [UInt8] = Array("n\nGr".utf8) + [0xF6, 0xDF, 0x80, 0x0A]
    #expect(try imported(latin, "x.csv") { $0.reading.encoding = .windows1252 }.rows == [[.string("Größ€")]])
    #expect(try imported(latin, "x.csv") { $0.reading.encoding = .latin1 }.rows == [[.string("Größ\u{80}")]])
    let half = little + [0x00, 0xD8]
    #expect(throws: InputFault.self) { _ = try imported(half, "x.csv") { $0.reading.encoding = .utf16le } }
  }

  @Test func placesOfFaultsAreThoseOfTheTextInEachEncoding() throws {
    let text = "\u{E9},b\n1,2\n\u{E9},2,3\n"
    let little = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    for (bytes, encoding) in [(little, InputEncoding.utf16le), (latin, InputEncoding.latin1)] {
      let fault = #expect(throws: InputFault.self) {
        _ = try imported(bytes, "x.csv") { $0.reading.encoding = encoding }
      }
      #expect(fault?.line == 3 && fault?.column == 5, "\(encoding): \(String(describing: fault))")
    }
  }

  @Test func numbersOfJSONHavePointsBeforeDecimals() throws {
    let outcome = try imported("{\"a\": 1.5, \"b\": \"1,5\"}\n{\"a\": 2.5, \"b\": \"2,5\"}\n", "x.jsonl") {
      $0.mapping.forms.hasDecimalComma = true
    }
    #expect(outcome.types == ["a double", "b string"], "\(outcome)")
    #expect(outcome.rows == [[.double(1.5), .string("1,5")], [.double(2.5), .string("2,5")]])
  }

  @Test func commasMayComeBeforeDecimals() throws {
    let outcome = try imported("a;b\n1,5;2\n-0,25;1.5\n", "x.csv") { $0.mapping.forms.hasDecimalComma = true }
    #expect(outcome.types == ["a double", "b string"], "\(outcome)")
    #expect(outcome.rows.map { $0[0] } == [.double(1.5), .double(-0.25)])
  }

  @Test(
    arguments: [
      ("dd.MM.yyyy", "31.01.2013", 1_359_590_400), ("M/d/yy h:mm a", "1/31/13 3:05 PM", 1_359_644_700),
      ("d MMM yyyy HH:mm:ss XXX", "31 Jan 2013 10:00:00 +02:00", 1_359_619_200),
      ("yyyy'T'MMdd", "2013T0131", 1_359_590_400), ("EEE, d MMM yyyy", "Thu, 31 January 2013", 1_359_590_400),
    ] as [(String, String, Int64)])
  func datesMayHaveAnyPattern(_ pattern: String, _ text: String, _ seconds: Int64) throws {
    let outcome = try imported("a|b\n\(text)|x\n", "x.csv") {
      $0.mapping.forms.datePattern = try DatePattern(pattern)
      $0.reading.separator = UInt8(ascii: "|")
    }
    #expect(outcome.rows == [[.date(Timestamp(seconds: seconds)), .string("x")]], "\(outcome)")
  }

  @Test func textsInISO8601AreDatesBesideAPatternAndNumbersWhereTheyAreTold() throws {
    let date = StoredValue.date(Timestamp(seconds: 1_359_590_400))
    let both = try imported("a|b\n31.01.2013|20130131\n2013-01-31|20130131\n", "x.csv") {
      $0.mapping.forms.datePattern = try DatePattern("dd.MM.yyyy")
      $0.reading.separator = UInt8(ascii: "|")
    }
    #expect(both.types == ["a date", "b int"], "\(both)")
    #expect(both.rows == [[date, .int(20_130_131)], [date, .int(20_130_131)]])
    let number = try imported("b\n20130131\n", "x.csv") { $0.mapping.forms.datePattern = try DatePattern("yyyyMMdd") }
    #expect(number.rows == [[.int(20_130_131)]], "\(number)")
    let typed = try imported("b\n20130131\n", "x.csv") {
      $0.mapping.forms.datePattern = try DatePattern("yyyyMMdd")
      $0.mapping.refine("b") { $0.type = .date }
    }
    #expect(typed.rows == [[date]], "\(typed)")
  }

  @Test(arguments: ["yyyy-MM", "dd QQ", "dd 'open"])
  func otherPatternsAreRefused(_ pattern: String) {
    #expect(throws: DatePatternError.self) { _ = try DatePattern(pattern) }
  }

  @Test(
    arguments: [
      "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"b\": \"]\"}]",
      "  [\n {\n \"a\": 1,\n \"b\": \"x\"},\n{\"a\":2,\"b\":\"]\"}\n]\n",
      "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n{\n  \"a\": 2, \"b\": \"]\"\n}",
      "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"]\"}\n",
    ])
  func documentsOfJSON(_ text: String) throws {
    #expect(try imported(text, "x.json").rows == [[.int(1), .string("x")], [.int(2), .string("]")]])
  }

  @Test(
    arguments: [
      ("[{\"a\": 1},\n {\"a\": tru}]", 2, 8, "JSON value"), ("[{\"a\": 1}\n {\"a\": 2}]", 2, 2, "','"),
      ("[{\"a\": 1},\n  {\"a\": 2", 2, 3, "not closed"),
      ("[{\"a\": 1}, 5]", 1, 12, "object"), ("[{\"a\": 1}] x", 1, 12, "nothing more"),
      ("{\"a\": 1,\n\"b\": 2}\n}", 3, 1, "value was"), ("[\n{\"a\": 1}", 2, 9, "']'"),
    ])
  func faultsOfDocumentsHaveTheirPlace(_ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    let fault = #expect(throws: InputFault.self) {
      _ = try imported(text, "x.json") { $0.keepsGoing = words == "value was" }
    }
    #expect(
      fault?.line == line && fault?.column == column && fault?.message.contains(words) == true,
      "\(String(describing: fault))")
  }

  @Test func aTrialKeepsNothing() throws {
    let outcome = try imported("a,b\n1,x\n2,y\n", "x.csv") { $0.isTrial = true }
    #expect(outcome.types.isEmpty && outcome.report.imported == 2 && outcome.report.version == 0)
    #expect(outcome.report.properties == ["a: int", "b: string"])
  }

  @Test func randomBytesAreFaultsAndNoCrashes() throws {
    var random = SeededRandom.forTest()
    let pieces = [
      "{", "}", "[", "]", "\"", ",", "\n", "a", "1", ":", "\\", "é", ";", "'", "{\"a\": 1}\n", "a,b\n", "2013-01-31",
      "\u{FEFF}", "null",
    ]
    for round in 0..<300 {
      var bytes: [UInt8] = []
      for _ in 0..<random.int(0...40) {
        if random.oneIn(3) {
          bytes.append(UInt8(random.int(0...255)))
        } else {
          bytes += Array(random.pick(pieces).utf8)
        }
      }
      let name = random.pick(["x.csv", "x.tsv", "x.json", "x.jsonl", "x.csv.gz"])
      do {
        _ = try imported(bytes, name) {
          $0.keepsGoing = random.oneIn(2)
          $0.reading.encoding = random.pick([nil, .utf16, .latin1, .windows1252, .utf8])
          $0.reading.hasHeader = random.oneIn(2)
        }
      } catch is InputFault {} catch is InputFileError {} catch is ImportError {} catch {
        Issue.record("round \(round), \(name), \(bytes): \(error)")
      }
    }
  }

  @Test func whatAnExportWritesIsImportedAgain() throws {
    var random = SeededRandom.forTest()
    for format in [ExportFormat.csv, .jsonl] {
      let store = try TemporaryStore(clusterSize: 8)
      let types: [ColumnType] = [.int, .double, .bool, .string, .date]
      let columns = (0..<random.int(1...10)).map { number in
        ColumnDeclaration(name: "p\(number)", type: random.pick(types), isOptional: random.oneIn(2))
      }
      let rows = (0..<random.int(1...60)).map { _ in columns.map { Self.value($0, &random) } }
      try store.write { writer in
        try writer.apply([ClassDeclaration(name: "T", isEmbedded: false, columns: columns)], schemaVersion: 0)
        let entry = try #require(writer.schema["T"])
        for row in rows {
          let key = try writer.create(entry.id)
          for (column, value) in zip(entry.columns, row) { try writer.set(entry.id, column.id, key, value) }
        }
      }
      var bytes: [UInt8] = []
      let count = try FolderExport(try store.store.snapshot(), format).write(className: "T") { bytes += $0 }
      #expect(count == rows.count)
      let outcome = try imported(bytes, "x.\(format.rawValue)") { options in
        for column in columns {
          options.mapping.refine(column.name) {
            $0.type = column.type
            $0.isOptional = column.isOptional
          }
        }
      }
      #expect(outcome.rows == rows, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private static func value(_ column: ColumnDeclaration, _ random: inout SeededRandom) -> StoredValue {
    if column.isOptional, random.oneIn(4) { return .null }
    switch column.type {
    case .int: return .int(random.oneIn(5) ? Int64(bitPattern: random.next()) : Int64(random.int(-1000...1000)))
    case .double: return .double(Double(random.int(-100_000...100_000)) / random.pick([1, 4, 100, 7]))
    case .bool: return .bool(random.oneIn(2))
    case .date:
      return .date(
        Timestamp(seconds: Int64(random.int(0...2_000_000_000)), nanoseconds: random.pick([0, 5, 120_000_000])))
    default:
      return .string(
        random.pick(["a", "x,y", "say \"hi\"", "two\nlines", "é", "1", "longer text of several words", "tab\t", "\\"]))
    }
  }
}
