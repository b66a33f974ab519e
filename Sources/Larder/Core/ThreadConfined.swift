/// Something that belongs to a Realm and to the place it was opened in.
public protocol ThreadConfined {
  /// The Realm it belongs to; nil for what is unmanaged.
  var realm: Realm? { get }
  /// A Boolean value that says whether it cannot be used any more: deleted, or its Realm was invalidated. May be asked at any time.
  var isInvalidated: Bool { get }
  /// A Boolean value that says whether it belongs to a frozen Realm: it never changes, and any thread may read it.
  var isFrozen: Bool { get }
  /// The same at its present version, unchanging, for any thread. Misuse for what is unmanaged or deleted.
  /// Keeps the version in the file as long as it lives.
  func freeze() -> Self
  /// The live counterpart on the calling thread; nil when it is deleted. What is live gives itself.
  func thaw() -> Self?
}
