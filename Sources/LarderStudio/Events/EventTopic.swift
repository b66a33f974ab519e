import Foundation
import LarderInspection
import LarderQuery
import LarderStorage

/// A query that a page follows.
struct EventTopic: Sendable {
  /// The name that the page gave it; two topics may have the same.
  let id: String
  /// Its place among the topics of the page, which no other has.
  let place: Int
  let entry: ClassDescriptor
  let query: ResultsQuery

  /// The topics of a request.
  ///
  /// - Throws: `RequestFault`, and what binding a query throws.
  static func topics(_ text: String?, in snapshot: Snapshot) throws -> [EventTopic] {
    guard let text else { return [] }
    guard let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] else {
      throw RequestFault("The parameter 'topics' is an array of objects with 'id', 'class', 'q' and 'sort'.")
    }
    guard list.count <= Self.most else { throw RequestFault("A page follows \(Self.most) queries at most.") }
    return try list.enumerated().map { place, item in
      guard let id = item["id"] as? String, let name = item["class"] as? String else {
        throw RequestFault("A topic has an 'id' and a 'class'.")
      }
      var question = QueryRunner.Request(className: name)
      question.predicate = (item["q"] as? String).flatMap { $0.isEmpty ? nil : $0 }
      question.sort = (item["sort"] as? [String] ?? []).filter { !$0.isEmpty }
      let runner = try QueryRunner(snapshot, question)
      return EventTopic(id: id, place: place, entry: runner.entry, query: runner.query)
    }
  }

  /// Topics of a page at most.
  private static let most = 8
}
