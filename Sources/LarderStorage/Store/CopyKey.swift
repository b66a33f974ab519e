import LarderCrypto

/// What a copy of a store is encrypted with.
package enum CopyKey: Sendable {
  /// As the store is.
  case unchanged
  /// With that key; nil makes a plain copy.
  case key(EncryptionKey?)

  /// Whether a copy has to seal values and hash indexes in another way.
  func differs(from options: StoreOptions) -> Bool {
    if case .key(let key) = self { key != options.encryptionKey } else { false }
  }
}
