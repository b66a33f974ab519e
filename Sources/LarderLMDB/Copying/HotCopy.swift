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
    try health.check()
    guard FileIdentity(path: destination) == nil else {
      throw LMDBError(.fileExists, "copy", detail: destination)
    }
    let file = try UnfinishedFile(for: destination)
    try writeCopy(file.descriptor, compacting)
    try file.publish(as: destination)
  }

  private func writeCopy(_ file: borrowing OwnedDescriptor, _ compacting: Bool) throws {
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
