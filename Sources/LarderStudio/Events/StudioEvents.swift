import LarderLocks
import LarderStorage

/// The streams of the pages that are open.
package final class StudioEvents: Sendable {
  private let studio: StudioStore
  private let open = Lock(0)

  /// Pages at most.
  package static let most = 8

  package init(_ studio: StudioStore) { self.studio = studio }

  /// Begins a stream.
  ///
  /// - Throws: `RequestFault` with status 429 when there are too many; what binding a query throws.
  package func open(_ request: StudioRequest) throws -> EventStream {
    let snapshot = try studio.store.snapshot()
    let topics = try EventTopic.topics(request["topics"], in: snapshot)
    let last = try request.version("last") ?? request.headers["last-event-id"].flatMap { UInt64($0) }
    let isAllowed = open.withLock { count -> Bool in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
    guard isAllowed else {
      throw RequestFault("\(Self.most) pages are open already; close one.", status: 429, kind: "tabs")
    }
    let feed = EventFeed(studio, topics)
    let reading = Reading(feed) { [weak self] in self?.open.withLock { $0 -= 1 } }
    try feed.start(at: snapshot, last: last)
    return EventStream(
      pieces: AsyncStream {
        await reading.feed.outbox.next()
      } onCancel: {
        reading.end()
      })
  }

  /// Ends a feed when its stream is not read any longer.
  private final class Reading: Sendable {
    let feed: EventFeed
    private let isOver = Lock(false)
    private let whenOver: @Sendable () -> Void

    init(_ feed: EventFeed, whenOver: @escaping @Sendable () -> Void) {
      (self.feed, self.whenOver) = (feed, whenOver)
    }

    deinit { end() }

    func end() {
      guard
        !isOver.withLock({ isOver in
          defer { isOver = true }
          return isOver
        })
      else { return }
      feed.end()
      whenOver()
    }
  }
}
