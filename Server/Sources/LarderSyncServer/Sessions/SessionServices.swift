import LarderSyncProtocol
import Synchronization

/// The services that the sessions of a hub share.
final class SessionServices: Sendable {
  let store: any SyncStore
  let verifier: any TokenVerifier
  let configuration: HubConfiguration
  let combiners: Combiners
  let feeds: Feeds
  let counters = HubCounters()

  init(
    store: any SyncStore, verifier: any TokenVerifier, configuration: HubConfiguration, combiners: Combiners,
    feeds: Feeds
  ) {
    self.store = store
    self.verifier = verifier
    self.configuration = configuration
    self.combiners = combiners
    self.feeds = feeds
  }

  /// The time in milliseconds since 1970.
  var now: Int64 { configuration.clock() }

  var bootstraps: BootstrapReader {
    BootstrapReader(store: store, pageObjects: configuration.pageObjects, pageBytes: configuration.frameBytes)
  }
}

/// The counters of a hub. May be used from any thread.
final class HubCounters: Sendable {
  let sessions = Atomic(0)
  let commits = Atomic<UInt64>(0)
  let bootstraps = Atomic<UInt64>(0)
  let sentBytes = Atomic<UInt64>(0)
  let receivedBytes = Atomic<UInt64>(0)
  let failures = Atomic<UInt64>(0)
}
