/// The limits of what is written in one transaction of what the server sends (Y-19).
struct SliceLimits: Hashable, Sendable {
  /// Objects after which a transaction ends.
  var objects = 1_000
  /// The time after which a transaction ends.
  var time = Duration.milliseconds(8)
  /// Objects of a bootstrap that are written between two looks at the clock.
  var partObjects = 100
  /// Bytes of a bootstrap that are in memory before they are put aside in the store.
  var stagedBytes = 1 << 20
}
