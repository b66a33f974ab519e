import Foundation

/// A file of `Fixtures/queries`: classes, objects, and cases over them.
struct QueryFixture: Decodable {
  struct Class: Decodable {
    var name: String
    var embedded: Bool?
    /// `name type [primary] [indexed]`; see `Property`.
    var properties: [String]
  }

  struct Case: Decodable {
    var `class`: String
    var predicate: String?
    var args: [JSONValue]?
    /// Key paths; a leading minus sorts descending.
    var sort: [String]?
    var distinct: [String]?
    var limit: Int?
    /// Labels of the expected objects in order.
    var expect: [String]?
    var error: ExpectedError?
    /// Rules of the specification that the case shows.
    var rule: String?
  }

  struct ExpectedError: Decodable {
    var message: String
    var position: Int?
    var suggestion: String?
  }

  /// A property: `name: type` where type is `int`, `int?`, `[string]`, `Dog`, `[Dog]`.
  struct Property {
    var name: String
    var type: String
    var isOptional: Bool
    var isList: Bool
    var isPrimary: Bool
    var isIndexed: Bool

    init(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      var type = words[1]
      isList = type.hasPrefix("[")
      if isList { type = String(type.dropFirst().dropLast()) }
      isOptional = type.hasSuffix("?")
      if isOptional { type.removeLast() }
      self.name = words[0]
      self.type = type
      isPrimary = words.contains("primary")
      isIndexed = words.contains("indexed")
    }
  }

  var about: String
  var classes: [Class]
  /// Rows by class; `_` is a row's label. Missing properties are not written.
  var data: [String: [[String: JSONValue]]]
  var cases: [Case]

  func properties(of name: String) -> [Property] {
    classes.first { $0.name == name }.map { $0.properties.map { Property($0) } } ?? []
  }

  static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/queries")
  }

  static func names() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.sorted()
  }

  static func read(_ name: String) throws -> QueryFixture {
    try JSONDecoder().decode(QueryFixture.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
  }
}
