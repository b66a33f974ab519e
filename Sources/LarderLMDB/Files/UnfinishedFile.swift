import Foundation

/// A new file in the making, beside its place and under a name of its own.
///
/// It is locked until it goes, and whatever has the name then is removed. A process that is killed leaves the file, but not the lock:
/// so the next one that makes a file in the folder knows what is not being made any more, and removes it.
package struct UnfinishedFile: ~Copyable {
  /// The path at which the file is made: the destination, the process, a random number, and `copying`.
  package let path: String
  let descriptor: OwnedDescriptor

  /// Makes an empty file that its owner alone may read.
  ///
  /// Throws `noSuchFile` for a missing folder, and what the system says.
  package init(for destination: String) throws {
    Self.removeAbandoned(besides: destination)
    while true {
      let path = "\(destination).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).\(Self.mark)"
      let made = try OwnedDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      // Who tidies up may have come between making and locking. Where nothing can be locked no process tidies up.
      if flock(made.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { continue }
      guard try made.status().st_nlink > 0 else { continue }
      self.path = path
      descriptor = made
      return
    }
  }

  deinit { Self.remove(path) }

  /// Makes the complete file durable and gives it its name. Throws `fileExists` rather than replace anything.
  ///
  /// Where the folder cannot be flushed the file is removed again: after an error there is none of that name.
  /// - Parameter staysWithoutFlush: The file stays nevertheless, because others may be using it already.
  package consuming func publish(as destination: String, staysWithoutFlush: Bool = false) throws {
    let path = path
    try descriptor.synchronize()
    try Self.move(path, to: destination)
    do {
      try synchronizeDirectory(of: destination)
    } catch {
      if !staysWithoutFlush { unlink(destination) }
      throw error
    }
  }

  private static func move(_ path: String, to destination: String) throws {
    // A link, unlike a rename, never replaces a file that came to be meanwhile.
    if link(path, destination) == 0 {
      unlink(path)
    } else {
      let code = errno
      guard NewDataFile.hasNoLinks(code), access(destination, F_OK) != 0 else {
        throw LMDBError(.init(rawValue: code), "link", detail: destination)
      }
      try posix("rename", destination) { rename(path, destination) }
    }
  }

  /// Returns true if a path is that of a file which this process is making.
  static func isOwn(_ path: String) -> Bool {
    let name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    return unfinishedName(name) == name && name.split(separator: ".").dropLast(2).last == "\(getpid())"
  }

  // MARK: - What was left behind

  private static let mark = "copying"

  private static func remove(_ path: String) {
    unlink(path)
    unlink(path + "-lock")
  }

  /// Removes files in the making that nothing makes.
  private static func removeAbandoned(besides destination: String) {
    let folder = directoryPath(of: destination)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in Set(names.compactMap(unfinishedName)) {
      let path = "\(folder)/\(name)"
      if names.contains(name), !isAbandoned(path) { continue }
      remove(path)
    }
  }

  /// Returns true if the file is there and it is not locked.
  private static func isAbandoned(_ path: String) -> Bool {
    guard let file = try? OwnedDescriptor(path: path, flags: O_RDWR) else { return false }
    return flock(file.number, LOCK_EX | LOCK_NB) == 0
  }

  /// The name of the file in the making that a file is or belongs to; nil for others.
  private static func unfinishedName(_ name: String) -> String? {
    let own = name.hasSuffix("-lock") ? String(name.dropLast("-lock".count)) : name
    guard own.hasSuffix(mark) else { return nil }
    let parts = own.split(separator: ".", omittingEmptySubsequences: false).suffix(3)
    guard parts.count == 3, parts.last?.elementsEqual(mark) ?? false,
      parts.dropLast().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } })
    else { return nil }
    return own
  }
}
