import Foundation

@testable import LarderQuery

/// A file of `Fixtures/queries`: classes, objects, and cases over them.
struct QueryFixture: Decodable {
  struct Class: Decodable {
    var name: String
    var embedded: Bool?
    /// `name type [primary] [indexed]`; see `Property`.
    var properties: [String]
    /// Indexes over several properties: their names with commas between them.
    var indexes: [String]?
  }

  struct Case: Decodable {
    var `class`: String
    var predicate: String?
    /// The predicate is RQL, and may have steps after it.
    var rql: Bool?
    var args: [JSONValue]?
    /// Key paths; a leading minus sorts descending.
    var sort: [String]?
    var distinct: [String]?
    var limit: Int?
    /// Labels of the expected objects in order.
    var expect: [String]?
    var error: ExpectedError?
    /// The keys that the objects are grouped by, what is computed over each group, by title, and which groups are kept.
    var group: [String]?
    var aggregates: [String]?
    var having: String?
    /// The expected groups: their keys and what was worked out.
    var groups: [[JSONValue]]?
    /// Rules of the specification that the case shows.
    var rule: String?
  }

  struct ExpectedError: Decodable {
    var message: String
    var position: Int?
    var suggestion: String?
  }

  /// A property: `name type` where type is `int`, `int?`, `[string]`, `{string}` (a set), `[:int]` (a map), `Dog`, `[Dog]`,
  /// `Dog.owner` (the dogs whose `owner` is the object).
  struct Property {
    enum Kind { case one, list, set, map, inverse }

    var name: String
    /// For an inverse the class of the objects that link here.
    var type: String
    var kind: Kind
    /// The link that an inverse goes back along.
    var origin = ""
    var isOptional: Bool
    var isPrimary: Bool
    var isIndexed: Bool

    init(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      var type = words[1]
      switch (type.first, type.hasPrefix("[:")) {
      case ("[", true): kind = .map
      case ("[", false): kind = .list
      case ("{", _): kind = .set
      default: kind = type.contains(".") ? .inverse : .one
      }
      if kind == .list || kind == .set || kind == .map {
        type = String(type.dropFirst(kind == .map ? 2 : 1).dropLast())
      }
      if kind == .inverse {
        let parts = type.split(separator: ".")
        (type, origin) = (String(parts[0]), String(parts[1]))
      }
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

  /// Names for the binder: the stored ones and the inverses.
  var naming: PropertyNaming {
    var inverses: [String: (className: String, property: String)] = [:]
    for entry in classes {
      for property in properties(of: entry.name) where property.kind == .inverse {
        inverses["\(entry.name).\(property.name)"] = (property.type, property.origin)
      }
    }
    let known = inverses
    return PropertyNaming(
      storedName: { _, name in name }, names: { $0.columns.map(\.name) }, inverse: { known["\($0).\($1)"] })
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
