import Foundation

/// The time that stores stay open after `Realm.read` and `Realm.write`, and the number of them. A store that stays open costs its descriptors and
/// some memory, no thread and no version of its file. Beyond RealmSwift.
public struct StoreKeeping: Sendable, Hashable {
  /// Seconds that a store stays open after its last block. With 0 it closes at once.
  public var seconds: TimeInterval
  /// Stores that stay open without a block. With one more, the one closes that was used the longest ago.
  public var count: Int

  /// Keeps so many stores open for so many seconds.
  public init(seconds: TimeInterval = 10, count: Int = 128) {
    self.seconds = seconds
    self.count = count
  }

  /// The time that stores stay open after `Realm.read` and `Realm.write` in this process, and the number of them.
  ///
  /// From any thread. It holds for stores that are open already as well. Stores in memory and synchronised ones do not stay open.
  public static var current: StoreKeeping {
    get { ScopedRealms.shared.keeping }
    set { ScopedRealms.shared.keeping = newValue }
  }

  /// Closes the stores that stay open after `Realm.read` and `Realm.write` where nothing uses them.
  /// From any thread. Costs a tenth of a millisecond for each store.
  public static func closeIdleStores() { ScopedRealms.shared.close() }
}
