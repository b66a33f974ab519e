import Foundation
import LarderStorage

/// Where a tool finds the key of encrypted stores. Never in an argument: those are shown to every user of the machine.
package enum KeySource: Sendable {
  case none
  /// A file of 64 bytes, or of 128 hexadecimal digits and white space around them.
  case file(String)
  /// The value of an environment variable: 128 hexadecimal digits. Stores that are plain are opened all the same.
  case environment(String)

  /// The environment variable.
  package static let variable = "LARDER_KEY"

  /// The key; nil where none was given.
  ///
  /// - Throws: `StorageError` for a file that cannot be read or a key of another form, without showing any of it.
  package func key() throws -> EncryptionKey? {
    switch self {
    case .none: return nil
    case .file(let path):
      let bytes: Data
      do {
        bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      } catch {
        throw StorageError(
          .notFound, "The key file '\(path)' cannot be read: \(error.localizedDescription)", path: path)
      }
      if let key = EncryptionKey(bytes) ?? Self.decode(bytes) { return key }
      throw StorageError(
        .wrongKey,
        "The key file '\(path)' holds no key: \(bytes.count) bytes. A key is 64 bytes, or 128 hexadecimal digits.",
        path: path)
    case .environment(let text):
      if let key = Self.decode(Data(text.utf8)) { return key }
      throw StorageError(
        .wrongKey, "\(Self.variable) holds no key: \(text.utf8.count) characters. A key is 128 hexadecimal digits.")
    }
  }

  private static func decode(_ text: Data) -> EncryptionKey? {
    let digits = text.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) })
    guard digits.count == 1, let digits = digits.first, digits.count == 2 * EncryptionKey.length else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map({ UInt8($0) }) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return EncryptionKey(bytes)
  }
}
