import Foundation
import LarderStorage

/// Orders objects by how well they fit the searches of a predicate (BM25), the best first.
///
/// What counts are the words that the predicate asks for by TEXT outside of NOT: how often each occurs in an object's text, how
/// long that is, and how many texts of the class have it.
struct Relevance {
  /// One search of a property.
  struct Search: Hashable {
    var column: ColumnID
    var query: TextQuery
  }

  private let context: ExecutionContext
  private let classID: ClassID
  private let searches: [Search]
  /// True if an index may be used.
  private let usesIndexes: Bool

  init(_ context: ExecutionContext, _ classID: ClassID, _ predicate: BoundPredicate?, usesIndexes: Bool) {
    self.context = context
    self.classID = classID
    self.usesIndexes = usesIndexes
    searches = predicate?.searches ?? []
  }

  /// The keys by descending score; of equal ones the order stays.
  func apply(_ keys: [ObjectKey]) throws -> [ObjectKey] {
    guard !searches.isEmpty else { return keys }
    let scores = try scores(keys)
    return keys.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }.map { keys[$0] }
  }

  /// The score of each object.
  func scores(_ keys: [ObjectKey]) throws -> [Double] {
    var scores = [Double](repeating: 0, count: keys.count)
    var places: [ObjectKey: [Int]] = [:]
    for (place, key) in keys.enumerated() { places[key, default: []].append(place) }
    for search in searches {
      let statistics = try statistics(search, Set(places.keys))
      for (key, positions) in places {
        let score = statistics.score(key)
        for position in positions { scores[position] += score }
      }
    }
    return scores
  }

  private func statistics(_ search: Search, _ wanted: Set<ObjectKey>) throws -> TextStatistics {
    var statistics = TextStatistics(search.query.scored)
    if usesIndexes, let index = try context.reader.textIndex(classID, search.column),
      index.hasPrefixes || !search.query.scored.contains(where: \.isPrefix)
    {
      try statistics.gather(from: index, wanted)
    } else {
      let access = try ColumnAccess(context, classID, search.column)
      for key in try context.liveKeys(classID).keys {
        let words = try access.withBytes(key.rawValue) { TextWords.words(of: String(decoding: $0, as: UTF8.self)) }
        statistics.add(words ?? [], key, isWanted: wanted.contains(key))
      }
    }
    return statistics
  }
}

/// The statistics that BM25 needs about the texts of a property.
private struct TextStatistics {
  private let terms: [TextQuery.Term]
  /// Texts with any word, and their words.
  private var texts = 0
  private var words = 0
  /// By term: texts that have it.
  private var frequencies: [Int]
  /// By object: how often each term occurs, and the length.
  private var counts: [ObjectKey: [Int]] = [:]
  private var lengths: [ObjectKey: Int] = [:]

  init(_ terms: [TextQuery.Term]) {
    self.terms = terms
    frequencies = Array(repeating: 0, count: terms.count)
  }

  mutating func gather(from index: TextIndexView, _ wanted: Set<ObjectKey>) throws {
    try index.forEachLength { key, length in
      texts += 1
      words += length
      if wanted.contains(key) { lengths[key] = length }
    }
    for (number, term) in terms.enumerated() {
      var seen: Set<ObjectKey> = []
      var frequency = 0
      try index.forEachOccurrence(of: term.words[0], isPrefix: term.isPrefix) { key, times in
        if !term.isPrefix || seen.insert(key).inserted { frequency += 1 }
        if wanted.contains(key) {
          counts[key, default: Array(repeating: 0, count: terms.count)][number] += times
        }
      }
      frequencies[number] = frequency
    }
  }

  /// Takes in one text.
  mutating func add(_ text: [String], _ key: ObjectKey, isWanted: Bool) {
    guard !text.isEmpty else { return }
    texts += 1
    words += text.count
    var own = [Int](repeating: 0, count: terms.count)
    for (number, term) in terms.enumerated() {
      own[number] = term.count(in: text)
      if own[number] > 0 { frequencies[number] += 1 }
    }
    guard isWanted else { return }
    counts[key] = own
    lengths[key] = text.count
  }

  /// The rate at which further occurrences count less, and the weight of the length: the usual choice.
  private static let saturation = 1.2
  private static let lengthWeight = 0.75

  func score(_ key: ObjectKey) -> Double {
    guard let counts = counts[key], let length = lengths[key], words > 0 else { return 0 }
    let relative = Double(length) * Double(texts) / Double(words)
    let norm = Self.saturation * (1 - Self.lengthWeight + Self.lengthWeight * relative)
    var score = 0.0
    for (number, count) in counts.enumerated() where count > 0 {
      let (all, having) = (Double(texts), Double(frequencies[number]))
      let rarity = log(1 + (all - having + 0.5) / (having + 0.5))
      score += rarity * Double(count) * (Self.saturation + 1) / (Double(count) + norm)
    }
    return score
  }
}

extension BoundPredicate {
  /// The searches by TEXT of the class's own properties that are not negated.
  var searches: [Relevance.Search] {
    switch self {
    case .value(let column, let test):
      guard test.operation == .text, case .string(let text)? = test.first else { return [] }
      return [Relevance.Search(column: column, query: TextQuery(text))]
    case .and(let children), .or(let children): return children.flatMap(\.searches)
    default: return []
    }
  }

  /// True if objects can be ordered by relevance.
  package var hasSearches: Bool { !searches.isEmpty }
}

extension ResultsQuery {
  /// Sorts by how well objects fit the searches of the filter, the best first. Throws `PredicateError` without a search.
  package func sortedByRelevance() throws(PredicateError) -> ResultsQuery {
    guard predicate?.hasSearches ?? false else {
      throw PredicateError(
        .unsupportedSort,
        "Only results of a full-text search have a relevance: filter with TEXT before sorting by relevance", text: "")
    }
    return appending([.relevance])
  }
}
