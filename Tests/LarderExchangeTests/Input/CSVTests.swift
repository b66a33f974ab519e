import Foundation
import LarderExchange
import TestSupport
import Testing

@Suite struct CSVTests {
  private func read(_ text: String, _ name: String = "x.csv") throws -> [[String: String]] {
    try withTemporaryDirectory { try readAll(try $0.write(text, to: name)) }
  }

  @Test func quotesHoldSeparatorsQuotesAndLineEnds() throws {
    let rows = try read("a,b,c\r\n\"1,2\",\"say \"\"hi\"\"\",\"two\r\nlines\"\r\n,,\r\n\nx,\"\",é\n")
    #expect(
      rows == [
        ["a": "1,2", "b": "say \"hi\"", "c": "two\r\nlines"], ["a": "", "b": "", "c": ""],
        ["a": "x", "b": "", "c": "é"],
      ])
  }

  @Test func tabsSeparateInTSV() throws {
    #expect(try read("a\tb\n1,5\t2", "x.tsv") == [["a": "1,5", "b": "2"]])
  }

  @Test(
    arguments: [
      ("a,b\n1,2\n1,2,3", 3, 5, "3 fields"), ("a,b\n1", 2, 2, "1 field"), ("a,b\n\"x\ny\",\"z\"w", 3, 7, "separator"),
      ("a,b\n1,2\n\"é\",\"open\nmore", 3, 5, "never closed"),
      ("", 1, 1, "header"),
      ("a,b\n\"two\nlines\",1\n1,2,3", 4, 5, "3 fields"),
    ])
  func aFaultHasItsLineAndColumn(_ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    let found = try #require(try fault(in: text, name: "x.csv"))
    #expect((found.line, found.column) == (line, column), "\(found)")
    #expect(found.message.contains(words), "\(found)")
  }

  @Test func whatIsWrittenWithQuotesIsReadBack() throws {
    var random = SeededRandom.forTest()
    let names = ["a", "b", "c"]
    try withTemporaryDirectory { directory in
      for _ in 0..<100 {
        let rows = (0..<random.int(1...20)).map { _ in names.map { _ in cell(&random) } }
        let text = ([names] + rows).map { $0.map(quote).joined(separator: ",") }.joined(separator: "\r\n")
        let read = try readAll(try directory.write(text, to: "x.csv"))
        #expect(read.map { row in names.map { row[$0] } } == rows)
      }
    }
  }

  private func cell(_ random: inout SeededRandom) -> String {
    let pieces = ["\"", ",", "\n", "\r\n", "x", "日", " ", ""]
    return (0..<random.int(0...5)).map { _ in random.pick(pieces) }.joined()
  }

  private func quote(_ cell: String) -> String { "\"\(cell.replacingOccurrences(of: "\"", with: "\"\""))\"" }

  @Test func theFlightsAreReadFromGzip() throws {
    let reader = try InputFormat.csv.open(fixtures + "/nycflights13/flights-january.csv.gz")
    var count = 0
    var last: InputRecord?
    while let record = try reader.next() {
      count += 1
      last = record
    }
    #expect(count == 27_004)
    #expect(last?.fields.count == 19)
  }
}

@Suite struct ByteSourceTests {
  @Test func aTruncatedGzipFileIsAnError() throws {
    try withTemporaryDirectory { directory in
      let whole = try Data(contentsOf: URL(fileURLWithPath: fixtures + "/nycflights13/weather-january.csv.gz"))
      let cut = try directory.write(whole.prefix(20_000), to: "cut.csv.gz")
      #expect { _ = try readAll(cut) } throws: { "\($0)".contains("truncated") && "\($0)".contains("cut.csv.gz") }
      var damaged = whole
      for index in 15_000..<15_050 { damaged[index] ^= 0x55 }
      let path = try directory.write(damaged, to: "damaged.csv.gz")
      #expect { _ = try readAll(path) } throws: { "\($0)".contains("damaged") }
    }
  }

  @Test func missingFilesAndFoldersAreErrors() throws {
    #expect { _ = try readAll("/nowhere/x.csv") } throws: { "\($0)".contains("no such file") }
    #expect { _ = try readAll(fixtures, .csv) } throws: { "\($0)".contains("folder") }
  }

  @Test func theNameTellsTheFormat() {
    #expect(InputFormat(path: "a/b.JSONL.gz") == .jsonl)
    #expect(InputFormat(path: "x.ndjson") == .jsonl)
    #expect(InputFormat(path: "x.csv") == .csv)
    #expect(InputFormat(path: "x.tsv.gz") == .tsv)
    #expect(InputFormat(path: "x.txt") == nil)
  }
}
