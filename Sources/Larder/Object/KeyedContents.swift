/// A map of any type, as pairs of keys and boxed values.
protocol KeyedContents {
  func boxedPairs() -> [String: Any]
}

extension Map: KeyedContents {
  func boxedPairs() -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in asKeyValueSequence() { result["\(key)"] = value._rlmObjcValue }
    return result
  }
}
