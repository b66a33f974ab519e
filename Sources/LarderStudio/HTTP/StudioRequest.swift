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
  /// True if a part of the path or a parameter is no text once its percent escapes are replaced.
  package var isUndecodable = false

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

  /// Returns the request with the parameters of its body after those of its URL.
  ///
  /// - Throws: `RequestFault` for a body that is no form.
  func withParametersOfBody() throws -> StudioRequest {
    guard let text = String(validating: body, as: UTF8.self), let parameters = Self.parameters(text) else {
      throw Self.undecodable
    }
    var copy = self
    copy.query += parameters
    return copy
  }

  /// The fault of a request that cannot be decoded.
  static let undecodable = RequestFault("The path or a parameter has a percent escape that makes no text of UTF-8.")

  /// Returns the parameters of a text as forms write them: `class=City&q=id+%3E+7`; nil where an escape makes no text.
  static func parameters(_ text: String) -> [(name: String, value: String)]? {
    var found: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).compactMap {
        $0.replacing("+", with: "%20").removingPercentEncoding
      }
      guard let name = sides.first, sides.count == (pair.contains("=") ? 2 : 1) else { return nil }
      found.append((name: name, value: sides.count > 1 ? sides[1] : ""))
    }
    return found
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

  /// Returns a parameter that is `1` or `0`; nil where it is missing.
  ///
  /// - Throws: `RequestFault` for anything else, so that no other spelling of it is taken for its contrary.
  func flag(_ name: String) throws -> Bool? {
    guard let value = query.first(where: { $0.name == name })?.value else { return nil }
    guard value == "0" || value == "1" else { throw RequestFault("The parameter '\(name)' is 0 or 1.") }
    return value == "1"
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
