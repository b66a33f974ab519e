import Foundation

/// A value of JSON, with where it is in its document.
struct JSONDocument {
  indirect enum Content {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case list([JSONDocument])
    case object([String: JSONDocument])
  }

  let content: Content
  /// The names and numbers that lead to it, as people write them: `City.roles[0].read`.
  let path: String

  /// Reads a document.
  ///
  /// - Throws: `DocumentError` for what is no JSON, and for an object that has a key twice, which readers of JSON take differently.
  init(_ text: [UInt8], named name: String) throws(DocumentError) {
    do {
      let node = try JSONDecoder().decode(Node.self, from: Data(text))
      self = node.document("")
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error {
        let cause =
          (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
          ?? context.underlyingError.map { "\($0)" }
        throw DocumentError("\(name) is no JSON: \(cause ?? context.debugDescription)")
      }
      throw DocumentError("\(name) is no JSON: \(error)")
    } catch {
      throw DocumentError("\(name) is no JSON: \(error)")
    }
    var keys = RepeatedKeys(bytes: text)
    if let key = keys.first() {
      throw DocumentError("\(name) has the key '\(key)' twice in one object; remove one of them.")
    }
  }

  fileprivate init(_ content: Content, _ path: String) {
    self.content = content
    self.path = path
  }

  /// The members of an object.
  ///
  /// - Parameter known: The only names that there may be; nil for any.
  /// - Throws: `DocumentError` for another kind of value, and for other names.
  func members(_ known: [String]? = nil) throws(DocumentError) -> [String: JSONDocument] {
    guard case .object(let members) = content else { throw DocumentError("\(place) has to be an object.") }
    if let known, let other = members.keys.filter({ !known.contains($0) }).min() {
      throw DocumentError(
        "\(place) has '\(other)', which means nothing here; there are \(known.joined(separator: ", ")).")
    }
    return members
  }

  /// The values of a list.
  func values() throws(DocumentError) -> [JSONDocument] {
    guard case .list(let values) = content else { throw DocumentError("\(place) has to be a list.") }
    return values
  }

  /// A text.
  func text() throws(DocumentError) -> String {
    guard case .string(let text) = content else { throw DocumentError("\(place) has to be a text.") }
    return text
  }

  /// True or false.
  func flag() throws(DocumentError) -> Bool {
    guard case .bool(let flag) = content else { throw DocumentError("\(place) has to be true or false.") }
    return flag
  }

  /// The name of the value in errors.
  var place: String { path.isEmpty ? "The document" : "'\(path)'" }
}

/// An error in a document that an operator wrote.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

private indirect enum Node: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([Node])
  case object([String: Node])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let list = try? container.decode([Node].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: Node].self))
    }
  }

  func document(_ path: String) -> JSONDocument {
    switch self {
    case .null: JSONDocument(.null, path)
    case .bool(let flag): JSONDocument(.bool(flag), path)
    case .number(let number): JSONDocument(.number(number), path)
    case .string(let text): JSONDocument(.string(text), path)
    case .list(let list): JSONDocument(.list(list.enumerated().map { $1.document("\(path)[\($0)]") }), path)
    case .object(let members):
      JSONDocument(
        .object(
          Dictionary(uniqueKeysWithValues: members.map { ($0, $1.document(path.isEmpty ? $0 : "\(path).\($0)")) })),
        path)
    }
  }
}
