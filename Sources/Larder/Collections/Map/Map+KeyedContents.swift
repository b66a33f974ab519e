extension Map: KeyedContents {
  func copy(_ value: (Any) throws -> Any) rethrows -> Any? {
    let result = Map<Key, Value>()
    for (key, stored) in asKeyValueSequence() {
      let boxed = try value(stored._rlmObjcValue)
      guard let value = boxed as? Value ?? Value._rlmFromObjc(boxed, insideOptional: false) else { return nil }
      result[key] = Optional<Value>.some(value)
    }
    return result
  }

  func boxedEntries() -> [(key: MapKeyText, value: Any)] {
    asKeyValueSequence().map { (MapKeyText($0.key), $0.value._rlmObjcValue) }
  }

  func boxedPairs() -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in asKeyValueSequence() { result[MapKeyText(key).text] = value._rlmObjcValue }
    return result
  }
}
