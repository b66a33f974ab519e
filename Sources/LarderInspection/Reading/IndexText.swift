import LarderExchange
import LarderStorage

/// The indexes of a class over several properties, and its unique ones, as text and JSON.
enum IndexText {
  /// `unique (a, b)` or `index (a, b)`.
  static func line(_ index: IndexDescriptor, of entry: ClassDescriptor) -> String {
    "\(index.isUnique ? "unique" : "index") (\(names(index, of: entry).joined(separator: ", ")))"
  }

  /// An array of `{"properties", "unique"}`.
  static func json(_ entry: ClassDescriptor) -> JSONValue {
    .init(entry.indexes.map { ["properties": .init(names($0, of: entry)), "unique": .init($0.isUnique)] })
  }

  private static func names(_ index: IndexDescriptor, of entry: ClassDescriptor) -> [String] {
    index.columns.map { entry.column($0)?.name ?? "property \($0.rawValue)" }
  }
}
