import Foundation

extension Environment {
  /// Reads every page of the newest version from the disk and checks it, while others read and write.
  ///
  /// Throws `damaged` or `truncated` with the page and the fault. Pins that version for as long as it takes; costs
  /// one read of the file's used pages.
  package func checkPages() throws -> PageCensus {
    // The meta page of a pinned version is overwritten by the second commit after it: then pin a newer one.
    for _ in 0..<100 {
      let pinned = try beginRead()
      let file = try PageFile(path: path)
      let metas = try file.metaPages()
      guard let meta = [metas.0, metas.1].first(where: { $0.transactionID == pinned.transactionID }) else { continue }
      try meta.validate()
      var walker = try PageWalker(file: file, meta: meta)
      let census = try walker.walk()
      withExtendedLifetime(pinned) {}
      return census
    }
    throw LMDBError(.damaged, "page walk", detail: "\(path): no meta page stayed readable; other processes commit")
  }
}
