import LarderLMDB

/// Tells whether a value is one that was written under a key of a table.
///
/// By the checksum, which has the key in it, or by the seal; parts of large values have none in a plain store, and are recognised by the form
/// of their keys: what they hold is checked where they are read.
struct EntryValidator {
  private let cipher: StoreCipher?
  private let environment: Environment

  /// - Parameter cipher: How values are sealed; nil in a plain store.
  init(_ cipher: StoreCipher?, _ environment: Environment) {
    self.cipher = cipher
    self.environment = environment
  }

  func isProven(_ table: String, _ key: ByteView, _ value: ByteView) -> Bool {
    if let cipher { return cipher.opened(value, environment.table(table), key) != nil }
    guard key.count >= 8, key.count % 8 == 0, value.count >= 8, value.count % 8 == 0 else { return false }
    let word: UInt64 = key.loadBigEndian(0)
    switch table {
    case StoreLayout.clusters: return key.count == 8 && LeafView.verify(value, key: word)
    case StoreLayout.collections:
      guard key.count == 24 else { return false }
      let (object, chunk) = (key.loadBigEndian(8, as: UInt64.self), key.loadBigEndian(16, as: UInt64.self))
      return LeafView.verify(value, key: ListTree.seed(columnWord: word, object: object, chunk: chunk))
    case StoreLayout.indexes, StoreLayout.backlinks:
      return (try? PairBlock(value))?.isIntact(prefix: word) ?? false
    case StoreLayout.log: return key.count == 8 && (try? CommitRecord(decoding: value, version: word)) != nil
    case StoreLayout.large:
      guard key.count == 24 else { return false }
      let (object, part) = (key.loadBigEndian(8, as: UInt64.self), key.loadBigEndian(16, as: UInt64.self))
      return word >> 48 > 0 && word >> 32 & 0xFFFF > 0 && word & 0xFFFF_FFFF == 0 && object < 1 << 62 && part < 1 << 20
    default: return false
    }
  }
}
