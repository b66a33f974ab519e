import LarderSyncProtocol

/// A bootstrap as it arrives, with the pages that are not in the store yet.
struct IncomingBootstrap: Sendable {
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
  /// The bytes of those pages.
  private(set) var bytes = 0

  init(_ begin: BootstrapBegin) { expected = begin.objects }

  mutating func append(_ page: BootstrapPage, bytes: Int) {
    pages.append(page)
    received += UInt64(page.objects.count)
    self.bytes += bytes
  }

  mutating func stored() {
    pages = []
    bytes = 0
    isNew = false
  }
}
