import Foundation
import LarderStorage

/// The identity of a section: the stored value of a key, texts by their characters' codes and numbers by value (S-12).
struct SectionKey: Hashable {
  private let identity: ValueIdentity

  init<Key: _Persistable>(_ key: Key) { identity = ValueIdentity(key._rlmStored(in: nil)) }

  /// Misuse for types whose values cannot be keys (S-10).
  static func check<Key: _Persistable>(_ type: Key.Type) {
    if Key._rlmType == .object {
      misuse("Links are not supported as section keys (\(type)); use a property of the linked object.")
    }
    if Key._rlmIsCollection { misuse("Collections are not supported as section keys (\(type)).") }
  }
}
