/// The kind of index that a property keeps: `@Persisted(indexed: .fullText) var body: String`.
public enum IndexType: Sendable, Hashable {
  /// No index.
  case none
  /// For comparisons: the same as `indexed: true`.
  case general
  /// For searches of words in a `String` property (U-15): `TEXT`, and `fullText` in `where`. It takes an entry for each different
  /// word of each text, which writing a text has to keep.
  case fullText
}
