import Foundation

/// The paths of an app's users and their stores (Y-51, Y-55).
struct SyncPaths: Hashable, Sendable {
  /// The folder of all apps.
  let folder: String

  /// The file of an app's users.
  func users(app: String) -> String { "\(folder)/users/\(Self.name(app)).json" }

  /// The file of a store.
  func store(app: String, user: String, name: String?) -> String {
    "\(folder)/\(Self.name(app))/\(Self.name(user))/\(Self.name(name ?? "flx_sync_default")).realm"
  }

  /// The folder of a user's stores.
  func stores(app: String, user: String) -> String { "\(folder)/\(Self.name(app))/\(Self.name(user))" }

  /// An id as the name of a file or folder: everything but letters, digits, `_` and `-` is percent-encoded, dots at the beginning too, and a
  /// long one is cut and has a checksum.
  static func name(_ id: String) -> String {
    var result = ""
    for (index, byte) in id.utf8.enumerated() {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte == 45
        || (byte == 46 && index > 0)
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    if result.isEmpty { return "%" }
    guard result.utf8.count > 180 else { return result }
    return String(result.prefix(140)) + "~" + checksum(id, 0xcbf2_9ce4_8422_2325) + checksum(id, 0x9ae1_6a3b_2f90_404f)
  }

  /// FNV-1a of 64 bits from a beginning of its own.
  private static func checksum(_ text: String, _ start: UInt64) -> String {
    let value = text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Makes the folder of a file, for this user of the computer alone.
  static func makeFolder(for path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
