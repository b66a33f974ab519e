import LarderStorage
import LarderSyncProtocol

/// A write transaction of a store together with its device, which already has all of the store's own commits.
final class DeviceTransaction {
  /// The device. Its store is that of the transaction.
  var device: Device<StoreReplica>
  /// The record of the server.
  var server: ServerRecord
  /// The classes whose changes are none of the device's.
  var withheld: WithheldClasses
  /// Other records of synchronisation.
  let state: SyncWriting
  let path: String

  init(
    _ device: Device<StoreReplica>, _ server: ServerRecord, _ withheld: WithheldClasses, _ state: SyncWriting,
    path: String
  ) {
    self.withheld = withheld
    self.device = device
    self.server = server
    self.state = state
    self.path = path
  }

  /// Deletes all objects that are only sent and that the server has confirmed, also those of commits that are forgotten (Y-46).
  func removeSent() {
    let classes = (device.store.transaction?.catalog.sentOnly ?? []).subtracting(withheld.names)
    if !classes.isEmpty { device.removeSent(classes) }
  }
}
