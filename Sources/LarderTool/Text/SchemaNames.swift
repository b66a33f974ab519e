import LarderStorage

/// The names of a schema that continue a word.
struct SchemaNames {
  let schema: StoreSchema

  /// Classes; or after one of them its properties, also over links.
  ///
  /// - Parameter before: The words after the store, without the one that is continued.
  func candidates(after before: some Sequence<String>, word: String) -> [String] {
    guard let entry = before.lazy.compactMap({ schema[$0] }).first else {
      return schema.classes.map(\.name).filter { $0.hasPrefix(word) }.sorted()
    }
    return properties(of: entry, word)
  }

  private func properties(of entry: ClassDescriptor, _ word: String) -> [String] {
    var entry = entry
    var parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = parts.popLast() ?? ""
    for part in parts {
      guard let target = entry.column(named: part)?.target.flatMap({ schema[$0] }) else { return [] }
      entry = target
    }
    let head = parts.map { $0 + "." }.joined()
    return entry.columns.map(\.name).filter { $0.hasPrefix(last) }.sorted().map { head + $0 }
  }
}
