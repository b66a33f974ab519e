import CLMDB
import Foundation

extension Environment {
  /// Writes a copy of the newest committed version to a new file, while others read and write.
  ///
  /// The copy appears under its name when it is complete and on the disk; the user alone may read it. `compacting`
  /// leaves free pages out: the smallest file, for more work. Throws `fileExists` rather than replace anything, and
  /// what writing threw; then nothing is left behind. Pins its version for as long as it takes.
  ///
  /// - Important: Never copy the data file by other means: the copy would be torn.
  package func copy(to destination: String, compacting: Bool = false) throws {
    guard process == getpid() else { throw LMDBError(.forked, "copy", detail: path) }
    guard FileIdentity(path: destination) == nil else {
      throw LMDBError(.fileExists, "copy", detail: destination)
    }
    let temporary = "\(destination).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).copying"
    do {
      try writeCopy(temporary, compacting)
      try Self.publish(temporary, as: destination)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Makes a complete file durable and gives it its name, in the place of its temporary one. Throws `fileExists`.
  package static func publish(_ temporary: String, as destination: String) throws {
    try OwnedDescriptor(path: temporary, flags: O_RDONLY).synchronize()
    // A link, unlike a rename, never replaces a file that came to be meanwhile.
    try posix("link", destination) { link(temporary, destination) }
    unlink(temporary)
    try synchronizeDirectory(of: destination)
  }

  private func writeCopy(_ temporary: String, _ compacting: Bool) throws {
    let file = try OwnedDescriptor(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    // The copy reads in a transaction of its own, so the map must stay.
    while true {
      _ = ledger.enter(reading: false)
      let result = mdb_env_copyfd2(handle, file.number, compacting ? UInt32(MDB_CP_COMPACT) : 0)
      ledger.leave()
      if result == 0 { break }
      guard result == MDB_MAP_RESIZED else { throw failure(result, "mdb_env_copyfd2") }
      try adoptMap()
    }
  }
}
