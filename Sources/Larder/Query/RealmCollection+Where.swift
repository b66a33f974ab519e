import Foundation
import LarderQuery

extension RealmCollection {
  /// The elements that satisfy a condition written in Swift: `people.where { $0.age > 30 && $0.name.starts(with: "A") }`.
  ///
  /// Lazy and live, as `filter`. The closure runs once; what it captures is taken at that time.
  ///
  /// ```swift
  /// let adults = people.where { $0.age >= 18 && $0.name.contains("a", options: .caseInsensitive) }
  /// ```
  ///
  /// A condition that cannot be queried is misuse; `throwing.where` throws instead. On the Realm's thread. Costs some microseconds for the
  /// condition; nothing is read before it is needed.
  public func `where`(_ isIncluded: ((Query<Element>) -> Query<Bool>)) -> Results<Element> {
    orMisuse { try included(isIncluded) }
  }

  /// Position of the first element that satisfies a condition written in Swift.
  public func index(matching isIncluded: ((Query<Element>) -> Query<Bool>)) -> Int?
  where Element: _RealmSchemaDiscoverable {
    orMisuse { try firstIndex(of: try isIncluded(.root).predicate(), text: "") }
  }

  /// The elements that satisfy a query in RQL, the language of Realm's core, with its SORT, DISTINCT and LIMIT:
  /// `people.filter(rql: "age > $0 SORT(name ASC) LIMIT(5)", 30)`.
  ///
  /// Lazy and live, as `filter`. A query that does not fit is misuse; `throwing.filter(rql:)` throws instead.
  ///
  /// ```swift
  /// let first = people.filter(rql: "age > $0 SORT(name ASC) LIMIT(5)", 30)
  /// ```
  ///
  /// On the Realm's thread. Costs some microseconds for the text; nothing is read before it is needed.
  public func filter(rql query: String, _ args: Any...) -> Results<Element> {
    orMisuse { try included(rql: query, args) }
  }

  /// The first elements of the order so far (U-9). A filter that follows looks at these only.
  ///
  /// ```swift
  /// let page = people.sorted(byKeyPath: "name").offset(1).limit(2)
  /// ```
  ///
  /// A negative number is misuse. On the Realm's thread. Costs nothing; what comes after the limit is not looked for.
  public func limit(_ count: Int) -> Results<Element> {
    orMisuse { try cut("limited") { $0.limited(to: count) } }
  }

  /// The elements without the first ones of the order so far (U-9).
  public func offset(_ count: Int) -> Results<Element> {
    orMisuse { try cut("cut") { $0.skipping(count) } }
  }

  /// The results of a full-text search by how well they fit it, the best first (U-15):
  /// `notes.where { $0.body.fullText("swift linux") }.sortedByRelevance()`.
  ///
  /// What counts (BM25) is how often the words occur in a text, how long it is, and how many texts of the class have them. Results
  /// that fit equally well keep their order. Without a search by TEXT in the filter it is misuse; `throwing` throws instead.
  public func sortedByRelevance() -> Results<Element> { orMisuse { try rankedByRelevance() } }

  // MARK: - Cores

  func rankedByRelevance() throws -> Results<Element> { Results(try resultsState("sorted").sortedByRelevance()) }

  func included(_ isIncluded: (Query<Element>) -> Query<Bool>) throws -> Results<Element> {
    Results(try resultsState("filtered").filtered(isIncluded(.root).condition))
  }

  func included(rql text: String, _ arguments: [Any]) throws -> Results<Element> {
    Results(try resultsState("filtered").filtered(rql: text, arguments: arguments))
  }

  func cut(_ what: String, _ change: (ResultsQuery) -> ResultsQuery) throws -> Results<Element> {
    Results(try resultsState(what).changed(what, change))
  }

}
