import LarderExchange
import LarderInspection
import LarderStorage

/// The key of the stores, if they are encrypted: what the tool takes from its environment.
enum StoreAccessKey {
  static func key() throws -> EncryptionKey? { try StoreAccess.keySource.key() }
}
