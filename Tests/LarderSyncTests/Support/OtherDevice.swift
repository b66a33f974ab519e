import LarderStorage
import LarderSyncProtocol

@testable import LarderSync

/// A device that is not there, whose transactions stores receive.
enum OtherDevice {
  /// An object by its class and an integer key.
  static func name(_ className: SyncText, _ key: Int) -> ObjectName {
    ObjectName(className: className, key: .int(Int64(key)))
  }

  /// Writes into a store what the device changed in one transaction.
  static func write(_ store: Store, _ body: (inout StoreReplica) -> Void) throws {
    try ModelDevice.write(store) { writer in
      try SyncWriting(writer).apply(from: Origin(high: 7, low: 9), at: HybridTime(milliseconds: 1))
      let transaction = ReplicaTransaction(writer, SyncCatalog(writer.base.schema))
      var replica = StoreReplica(transaction: transaction)
      body(&replica)
      try transaction.finish()
    }
  }
}
