import Foundation
import LarderStorage

/// What tells sections apart: the stored value of a key, texts by their characters' codes and mixed numbers by value (S-12).
struct SectionKey: Hashable {
  private enum Identity: Hashable {
    case text([UInt8])
    case number(Double)
    case other(StoredValue)
  }

  private let identity: Identity

  init<Key: _Persistable>(_ key: Key) {
    let stored = key._rlmStored(in: nil)
    switch stored {
    case .string(let text): identity = .text(Array(text.utf8))
    case .int(let value) where Key._rlmType == .any && Int64(exactly: Double(value)) == value:
      identity = .number(Double(value))
    case .float(let value) where Key._rlmType == .any: identity = .number(Double(value))
    case .double(let value) where Key._rlmType == .any: identity = .number(value)
    default: identity = .other(stored)
    }
  }

  /// Misuse for types whose values cannot be keys (S-10).
  static func check<Key: _Persistable>(_ type: Key.Type) {
    if Key._rlmType == .object {
      misuse("Links are not supported as section keys (\(type)); use a property of the linked object.")
    }
    if Key._rlmIsCollection { misuse("Collections are not supported as section keys (\(type)).") }
  }
}
