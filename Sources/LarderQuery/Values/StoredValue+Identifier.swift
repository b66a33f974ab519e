import Foundation
import LarderStorage

extension StoredValue {
  /// Reads the text form of a UUID or an ObjectId; nil for anything else.
  package init?(identifier text: String, type: ColumnType) {
    switch type {
    case .uuid:
      guard let value = UUID(uuidString: text) else { return nil }
      self = .uuid(value)
    case .objectId:
      guard text.utf8.count == 24,
        text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || 0x61...0x66 ~= $0 | 0x20 }),
        let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16)
      else { return nil }
      self = .objectId(ObjectIdBytes(high: high, low: low))
    default: return nil
    }
  }
}
