import Foundation
import Logging
import Synchronization

/// Hints between servers by `NOTIFY`, on a connection and a thread of their own, never in a transaction of data: its commit waits for a
/// lock of the whole database. What is published within 10 ms goes out together, the newest hint of a part alone.
public final class PostgresHintBus: HintBus {
  private let readers = HintReaders()
  private let outbox: HintOutbox
  private static let channel = "larder_hints"

  /// - Parameter url: as `SQLSyncStore.postgres` takes it; connected when it can be, and again when it was lost.
  /// - Throws: `SyncStoreError` of kind `invalidLocation`.
  public init(
    _ url: String, interval: Duration = .milliseconds(10), logger: Logger = Logger(label: "larder-sync.hints")
  ) throws(SyncStoreError) {
    let location = try PostgresLocation(url)
    outbox = HintOutbox()
    let thread = Thread { [readers, outbox] in
      PostgresHintBus.work(location, interval, readers, outbox, logger)
    }
    thread.name = "larder-sync hints"
    thread.start()
  }

  deinit { close() }

  public func publish(_ hint: Hint) { outbox.add(hint) }

  public func hints() -> AsyncStream<Hint> { readers.stream() }

  public func close() {
    outbox.close()
    readers.close()
  }

  private static func work(
    _ location: PostgresLocation, _ interval: Duration, _ readers: HintReaders, _ outbox: HintOutbox, _ logger: Logger
  ) {
    let policy = RetryPolicy(firstPause: .milliseconds(50), longestPause: .seconds(1))
    var losses = 0
    while !outbox.isClosed {
      do throws(SQLFailure) {
        let connection = try PostgresNotifications(location, channel: channel)
        losses = 0
        try exchange(connection, interval, readers, outbox)
      } catch {
        losses += 1
        if losses == 1 {
          logger.warning(
            "hints are not carried; heads are still read every second", metadata: ["reason": "\(error.error)"])
        }
        Thread.sleep(policy.pause(before: losses))
      }
    }
  }

  private static func exchange(
    _ connection: PostgresNotifications, _ interval: Duration, _ readers: HintReaders, _ outbox: HintOutbox
  ) throws(SQLFailure) {
    let clock = ContinuousClock()
    var sent = clock.now - interval
    while !outbox.isClosed {
      let pause = sent + interval - clock.now
      // What waits for its turn is not a reason to wake up.
      let wake = outbox.isEmpty || pause <= .zero ? outbox.wakeUp.descriptor : -1
      let time: Duration = outbox.isEmpty ? .milliseconds(500) : max(.milliseconds(1), pause)
      for text in try connection.wait(for: time, or: wake) {
        for hint in HintText.hints(text) { readers.yield(hint) }
      }
      if clock.now - sent >= interval {
        let hints = outbox.take()
        if !hints.isEmpty {
          try connection.send(HintText.texts(hints))
          sent = clock.now
        }
      }
    }
  }
}

/// The hints that wait to be sent: the newest one of each part.
final class HintOutbox: Sendable {
  private struct Place: Hashable {
    let tenant: TenantID
    let part: PartID
  }

  private struct State {
    var heads: [Place: Int64] = [:]
    var isClosed = false
  }

  let wakeUp = WakeUp()
  private let state = Mutex(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }
  var isEmpty: Bool { state.withLock { $0.heads.isEmpty } }

  func add(_ hint: Hint) {
    let isFirst = state.withLock { state in
      let place = Place(tenant: hint.tenant, part: hint.part)
      state.heads[place] = max(state.heads[place] ?? hint.head, hint.head)
      return state.heads.count == 1
    }
    if isFirst { wakeUp.call() }
  }

  func take() -> [Hint] {
    wakeUp.clear()
    let heads = state.withLock { state in
      defer { state.heads = [:] }
      return state.heads
    }
    return heads.map { Hint(tenant: $0.key.tenant, part: $0.key.part, head: $0.value) }
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wakeUp.call()
  }
}
