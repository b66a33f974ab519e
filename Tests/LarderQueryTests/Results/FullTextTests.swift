import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Searches of words over random documents, compared with an evaluation over lists of words.
@Suite("Full-text search")
struct FullTextTests {
  /// Words as a document may write them; the first is what they fold to.
  private static let vocabulary: [[String]] = [
    ["swift", "Swift", "SWIFT"], ["swiftly", "Swiftly"], ["linux", "Linux"], ["cafe", "Café", "CAFÉ", "cafe\u{301}"],
    ["angstrom", "Ångström"], ["to", "To"], ["be", "be"], ["don't", "don’t", "DON'T"], ["3.14"], ["привет", "ПРИВЕТ"],
    ["東"], ["京"], ["s"], ["sw"],
  ]

  /// A document or a phrase: numbers of words.
  private typealias Words = [Int]

  private struct Term {
    var words: Words
    var isPrefix = false
    var isExcluded = false

    var text: String {
      let text = words.map { FullTextTests.vocabulary[$0][0] }.joined(separator: " ")
      return (isExcluded ? "-" : "") + (words.count > 1 ? "\"\(text)\"" : text) + (isPrefix ? "*" : "")
    }

    func holds(_ document: Words) -> Bool {
      let found = document.indices.contains { start in
        start + words.count <= document.count
          && words.indices.allSatisfy { place in
            let (wanted, given) = (words[place], document[start + place])
            guard isPrefix, place == words.count - 1 else { return wanted == given }
            return FullTextTests.vocabulary[given][0].hasPrefix(FullTextTests.vocabulary[wanted][0])
          }
      }
      return found != isExcluded
    }
  }

  private static func document(_ random: inout SeededRandom) -> Words {
    (0..<random.pick([0, 1, 3, 6, 20])).map { _ in
      // Some words are rare.
      min(random.int(0..<vocabulary.count), random.int(0..<vocabulary.count))
    }
  }

  private static func text(_ document: Words, _ random: inout SeededRandom) -> String {
    document.map { random.pick(vocabulary[$0]) }.joined(separator: random.pick([" ", ", ", " - ", "\n"]))
  }

  private static func query(_ random: inout SeededRandom) -> [[Term]] {
    (0..<(random.oneIn(4) ? 2 : 1)).map { _ in
      (0..<random.int(1...3)).map { _ in
        var term = Term(words: [random.int(0..<vocabulary.count)])
        if random.oneIn(4) { term.words.append(random.int(0..<vocabulary.count)) }
        term.isPrefix = random.oneIn(4)
        term.isExcluded = random.oneIn(4)
        return term
      }
    }
  }

  private struct Fixture {
    let temporary: TemporaryStore
    let note: ClassID
    let columns: (number: ColumnID, indexed: ColumnID, plain: ColumnID)
    var documents: [ObjectKey: (number: Int64, words: Words?)] = [:]

    init(key: EncryptionKey? = nil) throws {
      temporary = try TemporaryStore(clusterSize: 16, key: key)
      try temporary.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "Note",
              columns: [
                ColumnDeclaration(name: "number", type: .int, isIndexed: true),
                ColumnDeclaration(name: "indexed", type: .string, isOptional: true, isFullText: true),
                ColumnDeclaration(name: "plain", type: .string, isOptional: true),
              ])
          ], schemaVersion: 1)
      }
      let entry = try #require(try temporary.snapshot.schema["Note"])
      func column(_ name: String) throws -> ColumnID { try #require(entry.column(named: name)).id }
      note = entry.id
      columns = (try column("number"), try column("indexed"), try column("plain"))
    }

    mutating func change(_ random: inout SeededRandom) throws {
      let writer = try temporary.store.beginWrite()
      var changed = documents
      for _ in 0..<random.int(1...20) {
        let key: ObjectKey
        if changed.isEmpty || random.oneIn(2) {
          key = try writer.create(note)
        } else {
          key = random.pick(changed.keys.sorted())
          if random.oneIn(3) {
            try writer.delete(note, key)
            changed[key] = nil
            continue
          }
        }
        let number = Int64(random.int(0..<10))
        let words = random.oneIn(10) ? nil : FullTextTests.document(&random)
        let value = words.map { StoredValue.string(FullTextTests.text($0, &random)) } ?? .null
        try writer.set(note, columns.number, key, .int(number))
        try writer.set(note, columns.indexed, key, value)
        try writer.set(note, columns.plain, key, value)
        changed[key] = (number, words)
      }
      if random.oneIn(5) {
        writer.cancel()
      } else {
        try check(writer, changed, &random)
        try writer.commit()
        documents = changed
      }
    }

    func check(
      _ reader: any StoreReader, _ documents: [ObjectKey: (number: Int64, words: Words?)], _ random: inout SeededRandom
    ) throws {
      let query = FullTextTests.query(&random)
      let search = query.map { $0.map(\.text).joined(separator: " ") }.joined(separator: " OR ")
      let number = Int64(random.int(0..<10))
      let matching = documents.filter { _, document in
        guard let words = document.words else { return false }
        return query.contains { terms in terms.allSatisfy { $0.holds(words) } }
      }
      let narrowed = matching.filter { $0.value.number == number }.keys.sorted()
      let others = documents.keys.filter { matching[$0] == nil }.sorted()
      for column in ["indexed", "plain"] {
        for (format, expected) in [
          ("\(column) TEXT %@", matching.keys.sorted()), ("NOT \(column) TEXT %@", others),
          ("\(column) TEXT %@ AND number == \(number)", narrowed),
        ] {
          let bound = try ResultsQuery(note).filtered(format, [.value(.string(search))], schema: reader.schema)
          for mode in [ResultsQuery.Mode.planned, .indexed, .rowByRow] {
            let found = try bound.keys(in: reader, mode: mode)
            #expect(found == expected, "\(format), \(search), \(mode)")
          }
        }
      }
      try checkRelevance(reader, search)
    }

    /// By the index and without one, the order is the same.
    func checkRelevance(_ reader: any StoreReader, _ search: String) throws {
      let orders = try ["indexed", "plain"].map { column in
        let query = try ResultsQuery(note).filtered(
          "\(column) TEXT %@", [.value(.string(search))], schema: reader.schema
        )
        .sortedByRelevance()
        let planned = try query.keys(in: reader)
        #expect(try planned == query.keys(in: reader, mode: .rowByRow), "\(search)")
        return planned
      }
      #expect(orders[0] == orders[1], "\(search)")
    }
  }

  @Test(
    "U-15: searches by index and without find what a plain evaluation finds, through every change",
    arguments: [nil, EncryptionKey.test()])
  func randomSearches(key: EncryptionKey?) throws {
    var random = SeededRandom.forTest()
    var fixture = try Fixture(key: key)
    for round in 0..<120 {
      try fixture.change(&random)
      try fixture.check(try fixture.temporary.snapshot, fixture.documents, &random)
      if round % 30 == 29 { #expect(try StoreVerifier.verify(try fixture.temporary.snapshot).isEmpty) }
    }
  }

  @Test("U-15: what a search means")
  func searches() {
    func matches(_ search: String, _ text: String) -> Bool { TextQuery(search).matches(text) }
    #expect(matches("linux swift", "Swift runs on Linux") && !matches("linux swift", "Linux"))
    #expect(matches("swi*", "Swift") && !matches("swi", "Swift") && matches("*", "x") == false)
    #expect(matches("\"to be\"", "or not to be") && !matches("\"to be\"", "be to") && matches("\"to b\"*", "to begin"))
    #expect(matches("this -OR that", "this that") && !matches("this -OR that", "this or that"))
    #expect(matches("swift -java", "swift") && !matches("swift -java", "java swift"))
    #expect(matches("-java", "swift") && !matches("-java", "Java"))
    #expect(matches("-\"to be\" be", "be to") && !matches("-\"to be\" be", "to be"))
    #expect(matches("java OR swift linux", "java") && !matches("java OR swift linux", "swift"))
    #expect(matches("or", "this or that") && matches("OR swift OR", "swift"))
    #expect(!matches("", "x") && !matches("  ... ", "...") && !matches("", ""))
    // What is written together is a phrase.
    #expect(matches("wi-fi", "Wi-Fi") && !matches("wi-fi", "fi wi") && matches("東京", "東京都") && !matches("東京", "京東"))
    #expect(matches("unclosed \"quote here", "unclosed quote here"))
  }

  @Test("U-15: the best fit comes first: rarer words, more of them, shorter texts; BM25 to the last digit")
  func relevance() throws {
    let fixture = try Fixture()
    let texts = ["swift", "swift linux linux", "linux be be be be be be", "to be", "swift swift to"]
    let keys = try fixture.temporary.write { writer in
      try texts.map { text in
        let key = try writer.create(fixture.note)
        try writer.set(fixture.note, fixture.columns.indexed, key, .string(text))
        return key
      }
    }
    let reader = try fixture.temporary.snapshot
    func order(_ search: String) throws -> [Int] {
      let query = try ResultsQuery(fixture.note).filtered(
        "indexed TEXT %@", [.value(.string(search))], schema: reader.schema
      ).sortedByRelevance()
      return try query.keys(in: reader).compactMap { keys.firstIndex(of: $0) }
    }
    #expect(try order("linux") == [1, 2])
    #expect(try order("swift") == [4, 0, 1])
    // Scores by hand: 1.398, 1.034, 0.754, 0.750, 0.553.
    #expect(try order("swift OR be") == [2, 3, 4, 0, 1])
    let predicate = try Binder.bind("indexed TEXT 'linux'", to: fixture.note, in: reader.schema)
    let scores = try Relevance(Planner.context(reader), fixture.note, predicate, usesIndexes: true).scores([keys[1]])
    let length = 3.0 * 5 / (1 + 3 + 7 + 2 + 3)
    let expected = log(1 + (5 - 2 + 0.5) / 2.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length))
    #expect(abs(scores[0] - expected) < 1e-12)
  }

  @Test(
    "U-15: the planner uses the index, alone and with others, and explains it",
    .notUnder(.rowByRow, "it looks at plans"))
  func plans() throws {
    let fixture = try Fixture()
    try fixture.temporary.write { writer in
      for number in 0..<3_000 {
        let key = try writer.create(fixture.note)
        try writer.set(fixture.note, fixture.columns.number, key, .int(Int64(number % 100)))
        let text = "common \(number % 30 == 0 ? "rare" : "other") word\(number)"
        try writer.set(fixture.note, fixture.columns.indexed, key, .string(text))
        try writer.set(fixture.note, fixture.columns.plain, key, .string(text))
      }
    }
    let reader = try fixture.temporary.snapshot
    func plan(_ format: String) throws -> ExplainedPlan {
      try ResultsQuery(fixture.note).filtered(format, schema: reader.schema).explain(in: reader)
    }
    let single = try plan("indexed TEXT 'rare'")
    #expect(
      single.root.all.contains { $0.kind == .textIndex && $0.rows == 100 } && single.counters.clustersVisited == 0)
    #expect(single.description.contains("full-text index indexed TEXT \"rare\""), "\(single.description)")
    let both = try plan("indexed TEXT 'rare' AND number == 30")
    #expect(both.root.rows == 10 && both.root.all.contains { $0.kind == .textIndex || $0.kind == .index })
    let union = try plan("indexed TEXT 'rare' OR number == 7")
    #expect(union.root.all.contains { $0.kind == .union } && union.root.rows == 130)
    #expect(try plan("plain TEXT 'rare'").root.kind == .scan)
    #expect(try plan("indexed TEXT '-rare'").root.kind == .scan)
  }

  @Test("U-15: TEXT is for strings, without options, and relevance is for searches")
  func mistakes() throws {
    let fixture = try Fixture()
    let schema = try fixture.temporary.snapshot.schema
    func code(_ format: String) -> LarderQuery.PredicateError.Code? {
      do throws(LarderQuery.PredicateError) {
        _ = try Binder.bind(format, to: fixture.note, in: schema)
        return nil
      } catch { return error.code }
    }
    #expect(code("number TEXT 'x'") == .unsupportedOperator)
    #expect(code("indexed TEXT[c] 'x'") == .unsupportedOperator)
    #expect(code("indexed TEXT plain") == .unsupportedOperator)
    #expect(code("indexed TEXT 5") == .typeMismatch)
    #expect(code("indexed text 'x'") == nil)
    #expect(throws: LarderQuery.PredicateError.self) { try ResultsQuery(fixture.note).sortedByRelevance() }
    let negated = try ResultsQuery(fixture.note).filtered("NOT indexed TEXT 'x'", schema: schema)
    #expect(throws: LarderQuery.PredicateError.self) { try negated.sortedByRelevance() }
    let rql = try ResultsQuery(fixture.note).filtered(
      rql: "indexed TEXT $0 LIMIT(1)", [.value(.string("x"))], schema: schema)
    #expect(rql.steps == [.limit(1)] && rql.predicate?.hasSearches == true)
  }
}
