import LarderCrypto

/// The key of a store, for the layers above: they know of encryption that there is a key.
package typealias EncryptionKey = LarderCrypto.EncryptionKey
