import LarderLMDB

extension StorageError {
  /// The store's view of an LMDB or system error.
  init(_ error: LMDBError, path: String) {
    let (code, message) = Self.explain(error, path)
    self.init(code, message, path: path)
  }

  private static func explain(_ error: LMDBError, _ path: String) -> (Code, String) {
    switch error.code {
    case .mapFull, .mapLimit, .readersPinMap:
      (
        .addressSpaceExhausted,
        "The reserved address range of '\(path)' is full and cannot grow now (\(error)). Close long-lived readers."
      )
    case .noAddressSpace:
      (
        .addressSpaceExhausted,
        "No address range is left for '\(path)': \(error.detail). Close some, or raise what the process may reserve (`ulimit -v`, "
          + "`vm.max_map_count`)."
      )
    case .notADatabase, .invalid, .notARegularFile:
      (.notADatabase, "'\(path)' is not a valid database (\(fault(error, path))).")
    case .truncated:
      (
        .truncated,
        "'\(path)' is not a valid database: it was cut short (\(fault(error, path))). Restore it from a copy, or save what can "
          + "be read with `larder repair`."
      )
    case .versionMismatch:
      (.unsupportedFormat, "'\(path)' was written by another generation of LMDB (\(error)).")
    case .panic:
      (
        .fileAccess,
        "Writing '\(path)' failed so that it cannot be used any more in this process: close it everywhere and open it "
          + "again. What was committed is safe."
      )
    case .corrupted, .pageNotFound, .damaged:
      (
        .corrupted,
        "'\(path)' is damaged (\(fault(error, path))). Restore it from a copy, or save what can be read with `larder repair`."
      )
    case .readersFull:
      (
        .readersExhausted,
        "'\(path)' has no free reader slot (\(error.detail)). Let go of frozen Realms, threads and processes that read it."
      )
    case .openedDifferently: (.alreadyOpen, "'\(path)' is already open with other options; close it first.")
    case .inUse: (.alreadyOpen, "'\(path)' is in use (\(error.detail)). Close it everywhere first.")
    case .fileReplaced:
      (.fileAccess, "'\(path)' or its lock file was replaced or deleted while it is open; nothing was written.")
    case .networkFileSystem:
      (.fileAccess, "'\(path)' is on a network file system (\(error.detail)), where locks cannot be trusted.")
    case .readOnly: (.permissionDenied, "'\(path)' is open read-only.")
    case .wrongThread, .badTransaction: (.internalError, "'\(path)': \(error).")
    default: explainUse(error, path) ?? explainSystem(error, path)
    }
  }

  /// Explains an error of a forked process or of a folder's flush; nil for other errors.
  private static func explainUse(_ error: LMDBError, _ path: String) -> (Code, String)? {
    switch error.code {
    case .forked:
      (
        .internalError,
        "'\(path)' was opened by a process of which this one is a child made by fork(): \(error.detail). Nothing that a child inherits of "
          + "a store can be used."
      )
    case .folderNotFlushed:
      (
        .fileAccess,
        "The flush of the folder of '\(path)' failed (\(error.detail)): what was to be done is done, but after a power cut the file may be "
          + "as it was before."
      )
    default: nil
    }
  }

  /// Returns what is wrong with a file, without its path, which the message has before it.
  private static func fault(_ error: LMDBError, _ path: String) -> String {
    guard !error.detail.isEmpty else { return "\(error)" }
    let prefix = canonicalPath(path) + ": "
    return error.detail.hasPrefix(prefix) ? String(error.detail.dropFirst(prefix.count)) : error.detail
  }

  private static func explainSystem(_ error: LMDBError, _ path: String) -> (Code, String) {
    switch error.code {
    case .lockFileDenied:
      (
        .permissionDenied,
        "Cannot open '\(path)': permission denied for its lock file '\(error.detail)', which readers must be able to write, too. "
          + "Give it the owner and the mode of the store."
      )
    case .ownerKept:
      (
        .permissionDenied,
        "Cannot rewrite '\(path)': \(error.detail). Do it as its owner, or copy it to another place."
      )
    case .accessDenied, .notPermitted, .readOnlyFileSystem:
      (
        .permissionDenied,
        "Cannot open '\(path)': permission denied. Use a location your process may read and write."
      )
    case .tooManyFiles, .tooManyFilesOfSystem:
      (
        .fileAccess,
        "Cannot open '\(path)': the process or the system has too many files open. The process may have "
          + "\(Environment.openFileLimit.map { "\($0)" } ?? "any number of") (`ulimit -n`), and each store takes up to five; "
          + "\(Environment.openCount) are open."
      )
    case .fileExists: (.fileExists, "'\(path)' already exists.")
    case .noSuchFile: (.notFound, "No store at '\(path)', or its folder does not exist.")
    case .noSpace, .quotaExceeded, .fileTooLarge:
      (.outOfDiskSpace, "No space left writing '\(path)'. Nothing was committed.")
    case .inputOutput:
      (.fileAccess, "Writing or reading '\(path)' failed (\(error)); the disk may be full. Nothing was committed.")
    default: (.fileAccess, "Cannot use '\(path)': \(error).")
    }
  }
}

/// Runs `body` and gives LMDB's errors the store's form.
@inline(__always)
func storageErrors<R: ~Copyable>(_ path: String, _ body: () throws -> R) throws -> R {
  do { return try body() } catch let error as LMDBError { throw StorageError(error, path: path) }
}
