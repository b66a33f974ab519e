import Foundation

/// A request of the page, without anything of how it came.
package struct StudioRequest: Sendable {
  package var method: String
  /// Parts of the path, decoded: `api`, `object`, `City`, `7`.
  package var path: [String]
  package var query: [(name: String, value: String)]
  /// Names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]
  /// True if the body was longer than any is allowed to be; then `body` is empty.
  package var isTooLong = false

  package init(
    method: String = "GET", path: [String], query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// True if it cancels other requests. It is answered at once.
  var endsOthers: Bool { method == "POST" && path == ["api", "cancel"] }

  /// True if it only asks: nothing is lost when it is not answered.
  var isQuestion: Bool { method == "GET" || path == ["api", "migration-preview"] || isLongQuestion }

  /// True if it is a question that has its parameters in the body, since a URL is short.
  var isLongQuestion: Bool {
    method == "POST" && path.count == 2 && path.first == "api" && Self.longQuestions.contains(path[1])
  }

  /// Questions with a predicate.
  private static let longQuestions: Set = ["rows", "count", "groups", "explain", "advise", "complete", "events"]

  /// The request with the parameters of its body after those of its URL.
  func withParametersOfBody() -> StudioRequest {
    var copy = self
    copy.query += Self.parameters(String(decoding: body, as: UTF8.self))
    return copy
  }

  /// Parameters as forms write them: `class=City&q=id+%3E+7`.
  static func parameters(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: "%20").removingPercentEncoding ?? ""
      }
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
  }

  /// Bytes of a body at most.
  package static let longestBody = 1_000_000

  /// The first value of a parameter; nil where it is missing or empty.
  package subscript(name: String) -> String? { query.first { $0.name == name && !$0.value.isEmpty }?.value }

  /// All values of a parameter that may be repeated.
  package func all(_ name: String) -> [String] { query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

  /// A parameter that has to be there.
  ///
  /// - Throws: `RequestFault`.
  package func required(_ name: String) throws -> String {
    guard let value = self[name] else { throw RequestFault("The parameter '\(name)' is missing.") }
    return value
  }

  /// A parameter that is a whole number.
  ///
  /// - Throws: `RequestFault` for anything else.
  package func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw RequestFault("The parameter '\(name)' is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// A parameter that is a version of the store.
  ///
  /// - Throws: `RequestFault` for anything else.
  package func version(_ name: String) throws -> UInt64? {
    guard let text = self[name] else { return nil }
    guard let value = UInt64(text) else { throw RequestFault("The parameter '\(name)' is a version of the store.") }
    return value
  }
}
