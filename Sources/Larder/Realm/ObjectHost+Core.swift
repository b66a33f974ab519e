extension ObjectHost {
  /// The Realm itself, for what is above objects and collections.
  @inline(__always)
  final var core: RealmCore { unsafeDowncast(self, to: RealmCore.self) }
}
