import Foundation

/// The 64 bytes from which all keys of a store are made. They are in no description of it, so that no log shows them.
package struct EncryptionKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The only length there is.
  package static let length = 64

  let bytes: [UInt8]

  /// Nil unless there are 64 bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == Self.length else { return nil }
  }

  package static func == (lhs: EncryptionKey, rhs: EncryptionKey) -> Bool {
    // As long for keys that are nearly right as for others.
    zip(lhs.bytes, rhs.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  package var description: String { "64 bytes that are not shown" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
