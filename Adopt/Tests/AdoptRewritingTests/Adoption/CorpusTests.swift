import AdoptRewriting
import Foundation
import Testing

@Suite struct CorpusTests {
  @Test("the programs of the corpus become what is stored beside them")
  func afterwards() throws {
    let outcomes = try Adoption.run(Corpus.inputs("before"))
    let expected = try Corpus.inputs("after")
    #expect(outcomes.map(\.path) == expected.map(\.path))
    for (outcome, file) in zip(outcomes, expected) {
      let difference = UnifiedDiff.text(path: outcome.path, before: file.source, after: outcome.after)
      #expect(difference.isEmpty, "\(outcome.path) is not as expected:\n\(difference)")
    }
    let lines = outcomes.reduce(0) { $0 + $1.before.lines(touching: 0..<max(1, $1.before.count)).count }
    #expect(lines >= 2000)
  }

  @Test("a second run over the corpus changes nothing")
  func twice() throws {
    let again = try Adoption.run(Corpus.inputs("after"))
    #expect(again.allSatisfy { $0.state == .unchanged }, "\(again.filter { $0.state != .unchanged }.map(\.path))")
  }

  @Test("what is left to do by hand is what is stored, with its places and lines")
  func leftovers() throws {
    let outcomes = try Adoption.run(Corpus.inputs("before"))
    let stored = try String(contentsOf: Corpus.folder.appendingPathComponent("left.txt"), encoding: .utf8)
    let report = AdoptionReport(outcomes, isDryRun: false).text
    let before = SourceText(stored)
    #expect(
      report == stored, "\(UnifiedDiff.text(path: "left.txt", before: before, after: SourceText(report)))")
  }

  @Test("every kind of finding is in the corpus, but errors of syntax")
  func kinds() throws {
    let found = Set(try Adoption.run(Corpus.inputs("before")).flatMap(\.findings).map(\.kind))
    #expect(Set(Finding.Kind.allCases).subtracting(found) == [.syntaxError])
  }

  @Test("bytes that no edit covers stay, in every file")
  func untouched() throws {
    for outcome in try Adoption.run(Corpus.inputs("before")) {
      var offset = 0
      var kept: [UInt8] = []
      var moved: [UInt8] = []
      for edit in outcome.edits.edits {
        kept += outcome.before.bytes[offset..<edit.range.lowerBound]
        let start = outcome.edits.moved(offset)
        moved += outcome.after.bytes[start..<start + (edit.range.lowerBound - offset)]
        offset = edit.range.upperBound
      }
      #expect(kept == moved, "\(outcome.path)")
    }
  }

  @Test("sources that use none of it are left as they are")
  func others() throws {
    let folder = Corpus.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Larder/Collections")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(names.count > 20)
    let inputs = try names.map { name in
      Adoption.Input(
        path: name, source: SourceText(Array(try Data(contentsOf: folder.appendingPathComponent(name)))))
    }
    let outcomes = try Adoption.run(inputs)
    #expect(outcomes.filter { $0.state != .unchanged }.map(\.path) == [])
  }
}
