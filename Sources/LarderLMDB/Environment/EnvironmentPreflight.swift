import Foundation

/// The facts about a data file that are found before LMDB may map it.
struct EnvironmentPreflight: Sendable {
  package let identity: FileIdentity
  package internal(set) var fileSize: UInt64 = 0
  package internal(set) var pageSize = 0
  /// The newest committed transaction.
  package internal(set) var transactionID: UInt64 = 0
  /// Bytes up to the last page in use; a legal file may be shorter when its last pages are free.
  package internal(set) var neededBytes: UInt64 = 0
  package internal(set) var mapSize: UInt64 = 0
  /// The counts of the walk over every page, when there was one.
  package internal(set) var census: PageCensus?

  /// Files up to this size are walked whenever they are opened: some ten milliseconds at most.
  private static let smallFile: UInt64 = 32 << 20
  /// In larger ones the trees, which are a small part of a store, up to as many pages as a small file has.
  private static let mostTreePages: UInt64 = 8_192

  /// The pages that are read before the tables are opened.
  enum Walk: Equatable {
    case nothing
    case trees(limit: UInt64)
    case everything
  }

  func walk(_ options: EnvironmentOptions) -> Walk {
    if census != nil { return .nothing }
    if options.inspection == .everyPage || neededBytes <= Self.smallFile { return .everything }
    return .trees(limit: Self.mostTreePages)
  }

  /// Reads the file with pread(2) only and throws what is wrong with it, instead of the signal that a damaged mapped
  /// file ends the process with. Changes nothing, never touches the lock file.
  ///
  /// A file of another user is not trusted: all of its pages are read. So are they after an interrupted or
  /// inconsistent pair of meta pages.
  package static func examine(path: String, options: EnvironmentOptions) throws -> EnvironmentPreflight {
    try examine(path: path, options: options, network: networkFileSystem(of:))
  }

  /// Examines a file as above; `network` names the network file system of an open file, nil for a local one.
  static func examine(
    path: String, options: EnvironmentOptions, network: (Int32) -> String?
  ) throws -> EnvironmentPreflight {
    // A writer in another process may move pages under a walk: then there is a newer version, and it is read again.
    for attempt in 0..<20 {
      let before = newestTransaction(path)
      do {
        return try examineOnce(path, options, network)
      } catch let error as LMDBError where error.isDamage {
        usleep(2_000)
        if before == newestTransaction(path) && attempt > 0 { throw error }
      }
    }
    throw LMDBError(.init(rawValue: EBUSY), "preflight", detail: "\(path): other processes write without a pause")
  }

  private init(identity: FileIdentity) { self.identity = identity }

  private static func newestTransaction(_ path: String) -> UInt64? {
    guard let file = try? PageFile(path: path), let metas = try? file.metaPages() else { return nil }
    return MetaPage.newest(metas).transactionID
  }

  private static func examineOnce(
    _ path: String, _ options: EnvironmentOptions, _ network: (Int32) -> String?
  ) throws -> EnvironmentPreflight {
    try refuseSpecialFile(path)
    let file = try PageFile(path: path)
    let status = try file.descriptor.status()
    if !options.allowsNetworkFileSystem, let name = network(file.descriptor.number) {
      throw LMDBError(.networkFileSystem, "preflight", detail: "\(path) is on \(name)")
    }
    var report = EnvironmentPreflight(identity: FileIdentity(status))
    report.fileSize = UInt64(status.st_size)
    // LMDB would make a database of it, also of a file of another program. New ones are never empty (`NewDataFile`).
    guard status.st_size > 0 else {
      throw LMDBError(
        .notADatabase, "preflight", detail: "\(path): it is empty; delete it to have a new store made there")
    }
    do {
      try report.inspect(file, status, options)
    } catch let error as LMDBError {
      throw LMDBError(error.code, error.operation, detail: "\(path): \(error.detail)")
    }
    return report
  }

  private static func refuseSpecialFile(_ path: String) throws {
    var status = stat()
    try posix("lstat", path) { lstat(path, &status) }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFREG { return }
    let name =
      switch kind {
      case S_IFLNK: "a symbolic link"
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    throw LMDBError(.notARegularFile, "preflight", detail: "\(path) is \(name)")
  }

  private mutating func inspect(_ file: consuming PageFile, _ status: stat, _ options: EnvironmentOptions) throws {
    guard fileSize >= 1024 else {
      throw LMDBError(.notADatabase, "preflight", detail: "it has only \(fileSize) bytes")
    }
    let metas = try file.settledMetaPages()
    let newest = MetaPage.newest(metas)
    try newest.validate()
    pageSize = newest.pageSize
    transactionID = newest.transactionID
    neededBytes = newest.neededBytes
    mapSize = newest.mapSize
    let isForeign = status.st_uid != geteuid()
    if MetaPage.isUnusual(metas) || isForeign || options.inspection == .everyPage {
      var walker = try PageWalker(file: file, meta: newest)
      census = try walker.walk()
    } else if neededBytes > fileSize {
      var walker = try PageWalker(file: file, meta: newest)
      try walker.checkLength()
    }
  }
}
