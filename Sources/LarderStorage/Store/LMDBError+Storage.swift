import Foundation
import LarderLMDB

extension StorageError {
  /// The store's view of an LMDB or system error.
  init(_ error: LMDBError, path: String) {
    switch error.code {
    case .mapFull:
      self.init(
        .addressSpaceExhausted,
        "The reserved address range of '\(path)' is full; old versions may be pinned. Close long-lived readers.",
        path: path)
    case .invalid, .versionMismatch:
      self.init(.notADatabase, "'\(path)' is not a valid database (\(error)).", path: path)
    case .corrupted, .panic:
      self.init(.corrupted, "'\(path)' is damaged (\(error)). Run `larder check`.", path: path)
    case .readersFull:
      self.init(.readersExhausted, "'\(path)' has no free reader slot; close snapshots or processes.", path: path)
    default:
      self.init(systemCode: error.code.rawValue, "\(error)", path: path)
    }
  }

  private init(systemCode: Int32, _ text: String, path: String) {
    switch systemCode {
    case EACCES, EPERM, EROFS:
      self.init(
        .permissionDenied,
        "Cannot open '\(path)': permission denied. Use a location your process may read and write.", path: path)
    case ENOENT:
      self.init(.notFound, "No store at '\(path)', or its folder does not exist.", path: path)
    case ENOSPC, EDQUOT, EFBIG:
      self.init(.outOfDiskSpace, "No space left writing '\(path)'. Nothing was committed.", path: path)
    default:
      self.init(.fileAccess, "Cannot use '\(path)': \(text).", path: path)
    }
  }
}

/// Runs `body` and gives LMDB's errors the store's form.
@inline(__always)
func storageErrors<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do { return try body() } catch let error as LMDBError { throw StorageError(error, path: path) }
}
