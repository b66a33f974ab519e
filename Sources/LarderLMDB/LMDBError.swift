import CLMDB

/// An error of an LMDB call: the code, the call that gave it, and what it was about.
package struct LMDBError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An LMDB or POSIX error code.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let keyExists = Code(rawValue: MDB_KEYEXIST)
    package static let notFound = Code(rawValue: MDB_NOTFOUND)
    package static let corrupted = Code(rawValue: MDB_CORRUPTED)
    package static let panic = Code(rawValue: MDB_PANIC)
    package static let versionMismatch = Code(rawValue: MDB_VERSION_MISMATCH)
    package static let invalid = Code(rawValue: MDB_INVALID)
    package static let mapFull = Code(rawValue: MDB_MAP_FULL)
    package static let mapResized = Code(rawValue: MDB_MAP_RESIZED)
    package static let readersFull = Code(rawValue: MDB_READERS_FULL)
    package static let badTransaction = Code(rawValue: MDB_BAD_TXN)
    package static let badValueSize = Code(rawValue: MDB_BAD_VALSIZE)
  }

  package let code: Code
  /// The C function that failed, or the rule that was broken.
  package let operation: String
  /// What the caller should know beyond the code: a path, a size, an owner.
  package let detail: String

  package init(_ code: Code, _ operation: String, detail: String = "") {
    self.code = code
    self.operation = operation
    self.detail = detail
  }

  package var description: String {
    let text = String(cString: mdb_strerror(code.rawValue))
    return detail.isEmpty ? "\(operation): \(text)" : "\(operation): \(text) (\(detail))"
  }
}

/// The one road from an LMDB result code to a Swift error.
@inline(__always)
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws {
  if result != 0 { throw LMDBError(.init(rawValue: result), operation()) }
}
