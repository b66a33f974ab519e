import Foundation
import LarderInspection

/// The changes that a page asks for.
struct EditRequest {
  struct Change {
    var className: String
    /// The primary key, or `#` and the object key.
    var key: Any
    var name: String
    var assignments: [(path: String, text: String?)]
    var deletes: Bool

    func edit(_ target: ObjectEdit.Target) -> ObjectEdit {
      ObjectEdit(className: className, target: target, assignments: assignments)
    }
  }

  /// The version that the page saw.
  let base: UInt64
  let changes: [Change]

  /// - Throws: `RequestFault` for a body that is none.
  init(_ body: [UInt8]) throws {
    guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let base = root["base"] as? UInt64, let list = root["changes"] as? [[String: Any]], !list.isEmpty
    else { throw RequestFault("The body is an object with 'base', a version, and 'changes'.") }
    self.base = base
    changes = try list.map(Self.change)
  }

  private static func change(_ item: [String: Any]) throws -> Change {
    guard let className = item["class"] as? String, let key = item["key"], let name = name(key) else {
      throw RequestFault("A change has a 'class' and a 'key'.")
    }
    let deletes = item["delete"] as? Bool ?? false
    let set = item["set"] as? [String: Any] ?? [:]
    guard deletes != !set.isEmpty else { throw RequestFault("A change has either 'set' or 'delete'.") }
    let assignments = try set.sorted { $0.key < $1.key }.map { path, value -> (path: String, text: String?) in
      if value is NSNull { return (path, nil) }
      guard let text = value as? String else { throw RequestFault("The value of '\(path)' is a text or null.") }
      return (path, text)
    }
    return Change(className: className, key: key, name: name, assignments: assignments, deletes: deletes)
  }

  /// A key as the text that a path has for it.
  private static func name(_ key: Any) -> String? {
    switch key {
    case let text as String: text
    case let number as Int64: String(number)
    case let number as UInt64: String(number)
    case let exact as [String: Any]: exact["int"] as? String
    default: nil
    }
  }
}
