import LarderStorage

/// Objects that were deleted and made again, with the keys that they have now: what was saved before names them by the keys they had.
package struct RemadeObjects: Sendable {
  private var keys: [ObjectLink: ObjectKey] = [:]

  package init() {}

  /// Remembers that an object was made again.
  package mutating func add(_ object: ObjectLink, as key: ObjectKey) { keys[object] = key }

  /// The object as it is named now; it may have been made again several times.
  package func now(_ object: ObjectLink) -> ObjectLink {
    var object = object
    while let key = keys[object] { object = ObjectLink(classID: object.classID, key: key) }
    return object
  }

  /// A value with links to the objects as they are named now.
  ///
  /// - Parameter target: The class that a link of the property leads to.
  package func now(_ value: StoredValue, target: ClassID?) -> StoredValue {
    guard !keys.isEmpty else { return value }
    switch value {
    case .link(let key):
      guard let target else { return value }
      return .link(now(ObjectLink(classID: target, key: key)).key)
    case .object(let link): return .object(now(link))
    case .list(let list): return .list(StoredList(list.map { now($0, target: target) }))
    case .dictionary(let entries):
      return .dictionary(StoredDictionary(entries.map { (key: $0.key, value: now($0.value, target: target)) }))
    default: return value
    }
  }
}
