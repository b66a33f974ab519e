/// The way to something in any Realm of its store.
typealias Passage = (ObjectHost) -> (any ThreadConfined)?

/// A thread-confined value that has a counterpart in every Realm of its store.
protocol MovableBetweenRealms: ThreadConfined {
  /// Returns a function that finds the counterpart in any Realm of the store, nil where it does not exist; keeps no Realm, and so no version, in
  /// use.
  func passage() -> Passage
  /// The same row, collection or query in another Realm of the store; nil when it is deleted there.
  func moved(to host: ObjectHost) -> Self?
}
