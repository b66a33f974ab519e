/// The origin of a transaction's changes, when it is not this store.
struct RemoteOrigin {
  /// Index into the table of origins.
  let index: UInt16
  /// The commit's time is above this one.
  let time: HybridTime
}
