import LarderCrypto

/// The encryption of a copy of a store.
package enum CopyKey: Sendable {
  /// Encrypts the copy as the store is.
  case unchanged
  /// With that key; nil makes a plain copy.
  case key(EncryptionKey?)

  /// Returns true if a copy has to seal values and hash indexes in another way.
  func differs(from options: StoreOptions) -> Bool {
    if case .key(let key) = self { key != options.encryptionKey } else { false }
  }
}
