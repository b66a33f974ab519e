import LarderSyncProtocol

/// A bootstrap as it arrives, with the pages that are not in the store yet.
struct IncomingBootstrap: Sendable {
  /// Its beginning.
  let begin: BootstrapBegin
  /// The number of objects that have arrived, in earlier sessions too.
  private(set) var received: UInt64
  /// Pages that are not in the store.
  private(set) var pages: [BootstrapPage] = []
  /// The end, once it has arrived.
  var end: BootstrapEnd?
  /// True if nothing of it is in the store.
  private(set) var isNew: Bool
  /// The bytes of those pages.
  private(set) var bytes = 0

  /// - Parameter staged: What is in the store of a bootstrap that goes on.
  init(_ begin: BootstrapBegin, after staged: StagedBootstrap?) {
    self.begin = begin
    received = staged?.objects ?? 0
    isNew = staged == nil
  }

  /// The expected number of objects, about.
  var expected: UInt64 { begin.objects }

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
