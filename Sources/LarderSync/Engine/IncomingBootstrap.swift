import LarderSyncProtocol

/// A bootstrap as it arrives, with the pages that are not in the store yet.
struct IncomingBootstrap: Sendable {
  /// Bytes of pages after which they are put into the store.
  private static let mostBytes = 1 << 20

  /// How many objects there will be, about.
  let expected: UInt64
  /// How many have arrived.
  private(set) var received: UInt64 = 0
  /// Pages that are not in the store.
  private(set) var pages: [BootstrapPage] = []
  /// The end, once it has arrived.
  var end: BootstrapEnd?
  /// Whether nothing of it is in the store.
  private(set) var isNew = true
  private var bytes = 0

  init(_ begin: BootstrapBegin) { expected = begin.objects }

  mutating func append(_ page: BootstrapPage, bytes: Int) {
    pages.append(page)
    received += UInt64(page.objects.count)
    self.bytes += bytes
  }

  /// Whether the pages should be put into the store.
  var isFull: Bool { bytes >= Self.mostBytes || end != nil }

  mutating func stored() {
    pages = []
    bytes = 0
    isNew = false
  }
}
