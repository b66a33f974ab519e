/// A map of any type, known by its boxed values.
protocol KeyedContents {
  /// An unmanaged map with the same keys and other values; nil when one of them does not fit. Keys are distinguished by their bytes,
  /// as a dictionary would not.
  func copy(_ value: (Any) throws -> Any) rethrows -> Any?
  func boxedPairs() -> [String: Any]
  func boxedEntries() -> [(key: MapKeyText, value: Any)]
}
