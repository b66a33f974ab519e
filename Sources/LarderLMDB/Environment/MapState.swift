import Synchronization

/// The state of an environment's map.
struct MapState: ~Copyable, Sendable {
  /// The map size that a transaction did not fit into; the next one begins by growing it.
  let outgrownSize = Atomic<Int>(0)
  /// True if there is no map any more: growing it failed half way. Set and read within `TransactionLedger.withMap`.
  let isLost = Atomic<Bool>(false)
  /// True if a transaction found no room since the file was cut back last.
  let isOverfull = Atomic<Bool>(false)
}
