import LarderStorage

extension CollectionLocation {
  /// Iterates over the elements of a list or set, or the values of a map, as they are now.
  func makeIterator<Element: RealmCollectionValue>() -> RLMIterator<Element> {
    orMisuse {
      try verify()
      if Element._rlmHoldsObject, let target, property.kind != .map {
        return RLMIterator(_ObjectSequence(try objectKeys(), target))
      }
      return RLMIterator(try values().map { try element($0) })
    }
  }
}

extension _KeyPathTrace {
  /// An element of a traced collection, through which the trace goes on.
  func element<Element: RealmCollectionValue>() -> Element {
    if let failing = Element.self as? any FailableCustomPersistable.Type, failing.isRefused(self) {
      return placeholder(Element.self, at: names.joined(separator: "."))
    }
    // Objects, optional ones as maps have them, and the program's own types that are stored as objects.
    guard let type = Element.self as? any _Persistable.Type, let element = type._rlmTraced(self) as? Element else {
      return Element._rlmDefaultValue()
    }
    return element
  }
}

extension FailableCustomPersistable {
  /// Returns true if there is no value for what a trace stores.
  fileprivate static func isRefused(_ trace: _KeyPathTrace) -> Bool { _rlmTracedInOptional(trace) == nil }
}
