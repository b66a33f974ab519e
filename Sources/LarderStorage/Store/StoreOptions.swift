import LarderCrypto

/// The options with which a store is opened.
package struct StoreOptions: Sendable {
  /// The failures that a commit survives.
  package enum Durability: Sendable {
    /// Every commit is on the disk when it returns.
    case full
    /// A power cut may lose the last commit, never consistency.
    case relaxed
    /// Nothing is promised after a power cut.
    case none
  }

  package var readOnly = false
  package var durability = Durability.full
  /// K for a new store; an existing store keeps its own. A multiple of 8.
  package var clusterSize = HostileSettings.current.clusterSize(StoreLayout.defaultClusterSize)
  /// Bytes of address space to reserve; the file itself starts small.
  package var mapSize = 1 << 40
  /// The key that the store is encrypted with: a new one from its beginning, an existing one must be so with this key. Nil for a plain store.
  package var encryptionKey: EncryptionKey?

  /// Walks every page before anything is read, also of a large file.
  package var walksPages = false

  package init() {}
}
