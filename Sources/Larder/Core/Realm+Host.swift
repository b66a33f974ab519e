extension Realm {
  init(_ host: ObjectHost) { state = host }

  /// What objects and collections know of the Realm.
  @inline(__always)
  var host: ObjectHost { unsafeDowncast(state, to: ObjectHost.self) }
}
