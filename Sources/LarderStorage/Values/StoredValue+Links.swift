/// Links within mixed values.
extension StoredValue {
  /// Calls `body` for each link in the value, at any depth, once for each time it occurs.
  package func forEachLink(_ body: (ObjectLink) throws -> Void) rethrows {
    switch self {
    case .object(let link): try body(link)
    case .list(let list): for element in list.elements { try element.forEachLink(body) }
    case .dictionary(let entries): for entry in entries { try entry.value.forEachLink(body) }
    default: break
    }
  }

  /// The same value with other links, at any depth. Lists and dictionaries keep their ids.
  func mapLinks(_ body: (ObjectLink) -> ObjectLink) -> StoredValue {
    switch self {
    case .object(let link): return .object(body(link))
    case .list(var list):
      list.elements = list.elements.map { $0.mapLinks(body) }
      return .list(list)
    case .dictionary(let entries): return .dictionary(entries.mapValues { $0.mapLinks(body) })
    default: return self
    }
  }

  /// False for a value that is no link and no collection, which could hold some.
  var mayLink: Bool {
    switch self {
    case .link, .object, .list, .dictionary: true
    default: false
    }
  }

  /// Levels of lists and dictionaries; 0 for other values. Stops counting beyond the limit.
  var nesting: Int {
    func depth(_ value: StoredValue, _ level: Int) -> Int {
      guard level <= StoreLayout.maximumNesting else { return level }
      switch value {
      case .list(let list): return list.elements.reduce(level + 1) { max($0, depth($1, level + 1)) }
      case .dictionary(let entries): return entries.reduce(level + 1) { max($0, depth($1.value, level + 1)) }
      default: return level
      }
    }
    return depth(self, 0)
  }

  /// True if the value is a list or a dictionary.
  package var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }
}
