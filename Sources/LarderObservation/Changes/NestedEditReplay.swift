import LarderStorage

/// Turns the logged edits of a list or dictionary within a value, and of what is inside of it, into positional edits (N-22).
struct NestedEditReplay {
  private let path: [MixedStep]
  private var size: Int
  /// Of a dictionary: its keys as they are at each edit.
  private var keys: [String]

  init(_ before: NestedCollection) {
    path = before.path
    switch before.value {
    case .list(let list): (size, keys) = (list.count, [])
    case .dictionary(let entries): (size, keys) = (entries.count, entries.keys)
    default: (size, keys) = (0, [])
    }
  }

  /// Nil when an edit speaks of something that is not there.
  func edits(_ all: [NestedEdit]) -> [ListEdit]? {
    var state = self
    var result: [ListEdit] = []
    for edit in all where edit.path.starts(with: path) {
      guard let next = state.next(edit) else { return nil }
      result.append(next)
    }
    return result
  }

  private mutating func next(_ edit: NestedEdit) -> ListEdit? {
    // A change within an element is a modification of the element.
    if edit.path.count > path.count {
      switch edit.path[path.count] {
      case .position(let position): return ListEdit(.set(at: position, count: 1), sizeBefore: size)
      case .key(let key):
        return keys.firstIndex { StoredOrder.compare($0, key) == 0 }.map {
          ListEdit(.set(at: $0, count: 1), sizeBefore: size)
        }
      }
    }
    switch edit.change {
    case .list(let edit):
      size = edit.sizeAfter
      return edit
    case .dictionary(let edit):
      guard edit.sizeBefore == keys.count else { return nil }
      switch edit.action {
      case .put(let key, let position, true) where position <= keys.count: keys.insert(key, at: position)
      case .remove(_, let position) where position < keys.count: keys.remove(at: position)
      case .clear: keys = []
      case .put(_, _, false): break
      default: return nil
      }
      size = keys.count
      return edit.listEdit
    }
  }
}
