import LarderSyncProtocol

/// The reports that programs get once, however often their cause is found.
struct ReportedOnce: Sendable {
  /// The numbers of objects that links lead to and that are not here.
  var hiddenLinks = HiddenLinks()
  /// The server's last message about classes that it does not have (Y-49).
  var schema: SyncText?
  /// The values of the server that this store cannot hold (Y-48).
  var unfit: Set<UnfitValue> = []
  /// True if the server gave a commit its own time, because the device's clock is wrong (Y-62).
  var isClockAdjusted = false
}
