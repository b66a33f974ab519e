import CLMDB
import Foundation

/// An error of the LMDB layer: the code, the call that gave it, and what it was about.
package struct LMDBError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A code of LMDB (-30799...-30780), of POSIX (positive), or of this layer (below -31000).
  ///
  /// Not a closed enum: codes that are unknown today survive.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    // LMDB's own.
    package static let keyExists = Code(rawValue: MDB_KEYEXIST)
    package static let notFound = Code(rawValue: MDB_NOTFOUND)
    package static let pageNotFound = Code(rawValue: MDB_PAGE_NOTFOUND)
    package static let corrupted = Code(rawValue: MDB_CORRUPTED)
    /// The environment is dead until it is closed: a meta page could not be written, or a thread died writing.
    package static let panic = Code(rawValue: MDB_PANIC)
    package static let versionMismatch = Code(rawValue: MDB_VERSION_MISMATCH)
    package static let invalid = Code(rawValue: MDB_INVALID)
    package static let mapFull = Code(rawValue: MDB_MAP_FULL)
    package static let readersFull = Code(rawValue: MDB_READERS_FULL)
    package static let mapResized = Code(rawValue: MDB_MAP_RESIZED)
    package static let incompatible = Code(rawValue: MDB_INCOMPATIBLE)
    package static let badTransaction = Code(rawValue: MDB_BAD_TXN)
    package static let badValueSize = Code(rawValue: MDB_BAD_VALSIZE)

    // POSIX.
    package static let noSuchFile = Code(rawValue: ENOENT)
    package static let fileExists = Code(rawValue: EEXIST)
    package static let accessDenied = Code(rawValue: EACCES)
    package static let notPermitted = Code(rawValue: EPERM)
    package static let readOnlyFileSystem = Code(rawValue: EROFS)
    package static let inputOutput = Code(rawValue: EIO)
    package static let noSpace = Code(rawValue: ENOSPC)
    package static let quotaExceeded = Code(rawValue: EDQUOT)
    package static let fileTooLarge = Code(rawValue: EFBIG)
    package static let outOfMemory = Code(rawValue: ENOMEM)
    package static let invalidArgument = Code(rawValue: EINVAL)
    package static let tooManyFiles = Code(rawValue: EMFILE)
    package static let tooManyFilesOfSystem = Code(rawValue: ENFILE)

    // This layer's.
    /// The file is not an LMDB database of a kind this layer opens.
    package static let notADatabase = Code(rawValue: -31001)
    /// Pages that the database needs are after the end of the file.
    package static let truncated = Code(rawValue: -31002)
    /// The structure of the file contradicts itself.
    package static let damaged = Code(rawValue: -31003)
    /// A directory, symbolic link, pipe, socket or device stands where the data file belongs.
    package static let notARegularFile = Code(rawValue: -31004)
    /// File locks and shared mappings are not reliable there.
    package static let networkFileSystem = Code(rawValue: -31005)
    /// The file is open in this process with other options.
    package static let openedDifferently = Code(rawValue: -31006)
    /// The data or lock file was deleted or replaced while the environment was open.
    package static let fileReplaced = Code(rawValue: -31007)
    /// A write transaction was used, begun again or dropped on a thread where that is impossible.
    package static let wrongThread = Code(rawValue: -31008)
    /// The environment was opened before a fork, by the parent process.
    package static let forked = Code(rawValue: -31009)
    /// The map must be exchanged, but read transactions of this process use it.
    package static let readersPinMap = Code(rawValue: -31010)
    /// The map has reached its permitted size.
    package static let mapLimit = Code(rawValue: -31011)
    /// The environment was opened read-only.
    package static let readOnly = Code(rawValue: -31012)
    /// A program has the file open, and it is to be used alone.
    package static let inUse = Code(rawValue: -31013)
    /// The lock file may not be read and written by this user.
    package static let lockFileDenied = Code(rawValue: -31014)
    /// A file cannot be replaced by one of the same owner, group and mode.
    package static let ownerKept = Code(rawValue: -31015)
    /// The process can reserve no address range, or none of the size that the file needs.
    package static let noAddressSpace = Code(rawValue: -31016)
    /// A file was exchanged or removed, and its folder could not be flushed: a power cut may undo it.
    package static let folderNotFlushed = Code(rawValue: -31017)
  }

  package let code: Code
  /// The C function that failed, or the rule that was broken.
  package let operation: String
  /// The facts that the caller should know beyond the code: a path, a size, an owner, what to do.
  package let detail: String

  package init(_ code: Code, _ operation: String, detail: String = "") {
    self.code = code
    self.operation = operation
    self.detail = detail
  }

  /// True when there was no room to write: a full disk, an exhausted quota, a file size limit.
  package var isOutOfSpace: Bool { [.noSpace, .quotaExceeded, .fileTooLarge].contains(code) }

  /// True when the bytes of the file are to blame.
  package var isDamage: Bool {
    [.corrupted, .pageNotFound, .truncated, .damaged].contains(code)
  }

  package var description: String {
    detail.isEmpty ? "\(operation): \(code.text)" : "\(operation): \(code.text) (\(detail))"
  }
}

extension LMDBError.Code {
  /// A short sentence for the code.
  package var text: String {
    switch self {
    case .notADatabase: "not a database"
    case .truncated: "the file is truncated"
    case .damaged: "the file is damaged"
    case .notARegularFile: "not a regular file"
    case .networkFileSystem: "a network file system cannot hold the database"
    case .openedDifferently: "already open in this process with other options"
    case .fileReplaced: "a file of the database was deleted or replaced while it was open"
    case .wrongThread: "a write transaction belongs to the thread that began it"
    case .forked: "the database was opened before a fork"
    case .readersPinMap: "the map cannot be exchanged while transactions use it"
    case .mapLimit: "the map has reached its largest permitted size"
    case .readOnly: "the database was opened read-only"
    case .inUse: "the database is in use"
    case .lockFileDenied: "the lock file may not be written"
    case .noAddressSpace: "the address space of the process is used up"
    case .folderNotFlushed: "the folder of a file that was exchanged could not be flushed"
    case .ownerKept: "the file would change its owner"
    default: String(cString: mdb_strerror(rawValue))
    }
  }
}

/// The one road from an LMDB result code to a Swift error.
@inline(__always)
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws {
  if result != 0 { throw LMDBError(.init(rawValue: result), operation()) }
}

/// The one road from a POSIX result (-1 and `errno`) to a Swift error. Calls again after `EINTR`.
@discardableResult
func posix<T: SignedInteger>(_ operation: String, _ path: String, _ call: () -> T) throws -> T {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw LMDBError(.init(rawValue: code), operation, detail: path) }
  }
}
