import LarderExchange
import LarderStorage

/// The indexes of a class over several properties, and its unique ones, as text and JSON.
enum IndexText {
  /// `unique (a, b)` or `index (a, b)`.
  static func line(_ index: IndexDescriptor, of entry: ClassDescriptor) -> String {
    "\(index.isUnique ? "unique" : "index") (\(names(index, of: entry).joined(separator: ", ")))"
  }

  /// An array of `{"properties", "unique"}`.
  static func json(_ entry: ClassDescriptor) -> String {
    let indexes = entry.indexes.map { index in
      let names = names(index, of: entry).map(JSONText.quote).joined(separator: ", ")
      return "{\"properties\": [\(names)], \"unique\": \(index.isUnique)}"
    }
    return "[\(indexes.joined(separator: ", "))]"
  }

  private static func names(_ index: IndexDescriptor, of entry: ClassDescriptor) -> [String] {
    index.columns.map { entry.column($0)?.name ?? "property \($0.rawValue)" }
  }
}
