extension Realm {
  init(_ host: ObjectHost) { state = host }

  /// The Realm as its objects and collections know it.
  @inline(__always)
  var host: ObjectHost { unsafeDowncast(state, to: ObjectHost.self) }
}
