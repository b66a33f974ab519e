import LarderSyncProtocol

/// What is reported to programs once, however often it is found.
struct ReportedOnce: Sendable {
  /// To how many objects links lead that are not here.
  var hiddenLinks = HiddenLinks()
  /// What the server said last of classes that it does not have (Y-49).
  var schema: SyncText?
  /// What the server has and this store cannot hold (Y-48).
  var unfit: Set<UnfitValue> = []
  /// Whether the server gave a commit its own time, because the device's clock is wrong (Y-62).
  var isClockAdjusted = false
}
