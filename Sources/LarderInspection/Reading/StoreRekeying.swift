import LarderExchange
import LarderStorage

/// Encrypts, decrypts and re-keys stores in their place.
package struct StoreRekeying {
  /// The change to a store.
  package enum Work: String, Sendable {
    case encrypt, decrypt, rekey
  }

  package let path: String
  package let work: Work
  private let key: EncryptionKey?
  private let newKey: EncryptionKey?
  private let bytesBefore: Int

  /// Looks what there is to do, and changes nothing.
  ///
  /// - Parameter newKey: Where the new key is found; nil makes the store plain.
  /// - Throws: `StorageError` when the store or a key cannot be read, the present key is wrong, or a plain store is to be decrypted.
  package init(_ path: String, newKey: KeySource?) throws {
    self.path = path
    let store = try StoreAccess.open(reading: path, walksPages: true)
    _ = try store.snapshot().version
    key = store.options.encryptionKey
    self.newKey = try newKey?.key()
    bytesBefore = StoreCopying.size(path)
    switch (key, self.newKey) {
    case (nil, nil):
      throw StorageError(.wrongKey, "'\(path)' is not encrypted: there is nothing to decrypt.", path: path)
    case (nil, _?): work = .encrypt
    case (_?, nil): work = .decrypt
    case (_?, _?): work = .rekey
    }
  }

  /// Does it. No one may have the store open.
  ///
  /// - Throws: `StorageError`, with the path and what to do in its message; then the file is as it was.
  package func run() throws -> Result {
    do {
      try Store.rekey(path, from: key, to: newKey)
    } catch let error as StorageError where error.code == .alreadyOpen {
      throw StorageError(.alreadyOpen, "'\(path)' is in use. Close it everywhere.", path: path)
    }
    return Result(path: path, work: work, bytesBefore: bytesBefore, bytesAfter: StoreCopying.size(path))
  }

  /// The result that `run` would have.
  package var plan: Result { Result(path: path, work: work, bytesBefore: bytesBefore) }

  /// The result of a change that was made, or would be.
  package struct Result: Sendable {
    package var path: String
    package var work: Work
    package var bytesBefore: Int
    /// Nil where nothing was written.
    package var bytesAfter: Int?

    package func text() -> String {
      let before = StoreReport.bytes(bytesBefore)
      guard let bytesAfter else {
        let would =
          switch work {
          case .encrypt: "is not encrypted; it would be"
          case .decrypt: "is encrypted; it would be plain"
          case .rekey: "is encrypted; it would get the new key"
          }
        return "\(path): \(before), \(would)"
      }
      let done =
        switch work {
        case .encrypt: "encrypted"
        case .decrypt: "decrypted"
        case .rekey: "encrypted with the new key"
        }
      return "\(path): \(done); \(before) before, \(StoreReport.bytes(bytesAfter)) now"
    }

    package func json() -> String {
      let value: JSONValue = [
        "path": .init(path), "work": .init(work.rawValue), "bytesBefore": .init(bytesBefore),
        "bytesAfter": bytesAfter.map { .init($0) }, "written": bytesAfter == nil ? .init(false) : nil,
      ]
      return value.line
    }
  }
}
