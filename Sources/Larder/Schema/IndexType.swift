/// What kind of index a property keeps: `@Persisted(indexed: .fullText) var body: String`.
public enum IndexType: Sendable, Hashable {
  case none
  /// For comparisons: the same as `indexed: true`.
  case general
  /// For searches of words in a `String` property (U-15): `TEXT`, and `fullText` in `where`. It takes about the space of the texts,
  /// and writing a text costs a few microseconds for every hundred words.
  case fullText
}
