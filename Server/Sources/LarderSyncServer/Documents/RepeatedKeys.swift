import Foundation

/// Finds keys that an object has more than once, in text that is known to be JSON.
struct RepeatedKeys {
  let bytes: [UInt8]
  private var position = 0
  private var scopes: [Set<String>] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The first key that is there for a second time.
  mutating func first() -> String? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): scopes.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): scopes.removeLast()
      case UInt8(ascii: "\""):
        let text = string()
        if isBeforeColon, !scopes[scopes.count - 1].insert(text).inserted { return text }
        continue
      default: break
      }
      position += 1
    }
    return nil
  }

  /// The string that begins here; the position is after it then.
  private mutating func string() -> String {
    let start = position
    position += 1
    while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
    position += 1
    let raw = bytes[start..<position]
    return (try? JSONDecoder().decode(String.self, from: Data(raw))) ?? String(decoding: raw, as: UTF8.self)
  }

  private var isBeforeColon: Bool {
    bytes[position...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
  }
}
