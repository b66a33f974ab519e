import LarderLocks

/// A directory of data files that is open once for all of them: a process may have thousands of stores in one.
final class SharedDirectory: Sendable {
  /// A directory takes itself out as it goes.
  private static let known = Lock<[FileIdentity: UncountedReference<SharedDirectory>]>([:])

  let entries: DirectoryEntries
  private let identity: FileIdentity

  private init(_ entries: consuming DirectoryEntries, _ identity: FileIdentity) {
    self.entries = entries
    self.identity = identity
  }

  deinit {
    Self.known.withLock { known in
      // Another may have taken its place.
      if known[identity]?.refers(to: self) == true { known[identity] = nil }
    }
  }

  /// The directory that holds `path`; nil when it may not be opened.
  static func of(_ path: String) -> SharedDirectory? {
    guard let entries = DirectoryEntries(of: path), let identity = entries.identity else { return nil }
    let opened = SharedDirectory(entries, identity)
    return known.withLock { known in
      if let found = known[identity]?.retained { return found }
      known[identity] = UncountedReference(opened)
      return opened
    }
  }
}
