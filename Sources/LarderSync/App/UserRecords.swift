import Foundation

/// The users of an app as they are kept (Y-51).
struct UserRecords: Codable, Hashable, Sendable {
  struct Record: Codable, Hashable, Sendable {
    var id: String
    var isLoggedIn: Bool
    var token: String?
  }

  /// The users in the order in which they signed in first.
  var users: [Record] = []
  /// The id of the user who was logged in or switched to last.
  var current: String?

  init() {}

  /// Reads a file. It reads no users where there is no file, or one that is not of this kind: users have to sign in again then.
  init(reading path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return }
    do {
      self = try JSONDecoder().decode(UserRecords.self, from: data)
    } catch {
      Logger.shared.log(.error, "The users in '\(path)' cannot be read, and have to sign in again: \(error)")
    }
  }

  /// Writes the file, which only this user of the computer may read.
  func write(to path: String) throws {
    try SyncPaths.makeFolder(for: path)
    let data = try JSONEncoder().encode(self)
    let temporary = path + ".new"
    _ = FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600])
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: data)
    try handle.synchronize()
    try handle.close()
    guard rename(temporary, path) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
  }
}
