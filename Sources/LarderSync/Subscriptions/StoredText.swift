import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// A value as messages show it.
enum StoredText {
  static func text(_ value: SyncValue) -> String {
    StoredValue(plain: value)?.shortDescription ?? "an object"
  }
}
