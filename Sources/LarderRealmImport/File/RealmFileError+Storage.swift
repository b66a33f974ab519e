import LarderRealmFile
import LarderStorage

extension StorageError {
  /// Makes the error of a store for a fault of a `.realm` file.
  init(_ error: RealmFileError, path: String) {
    let code: Code =
      switch error.kind {
      case .unreadable: .fileAccess
      case .notARealmFile: .notADatabase
      case .needsKey, .wrongKey, .notEncrypted: .wrongKey
      case .truncated: .truncated
      case .unsupportedFormat: .unsupportedFormat
      case .damaged: .corrupted
      }
    self.init(code, error.message, path: path)
  }
}
