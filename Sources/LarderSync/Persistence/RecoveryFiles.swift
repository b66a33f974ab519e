import Foundation
import LarderStorage

/// The paths of a store's recovery copies, and of the note beside it, which says that its next opening makes a new store (Y-43).
struct RecoveryFiles: Hashable, Sendable {
  /// The store.
  let path: String

  /// - Parameter path: May lead over symbolic links: the note is beside the file itself.
  init(of path: String) {
    let file = URL(fileURLWithPath: path)
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    self.path = folder.appendingPathComponent(file.lastPathComponent).path
  }

  /// The folder of the copies.
  private var folder: URL {
    URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("recovered-realms", isDirectory: true)
  }

  /// Copies the newest version of a store.
  ///
  /// - Returns: The path of the copy.
  static func copy(_ store: Store) throws -> String {
    let copy = try RecoveryFiles(of: store.path).newCopy()
    try store.snapshot().copy(to: copy)
    return copy
  }

  private var note: String { path + ".reset" }

  /// A path for another copy. Its folder is made.
  func newCopy() throws -> String {
    let (folder, file) = (folder, URL(fileURLWithPath: path))
    try storeErrors {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let name = "\(file.deletingPathExtension().lastPathComponent)-\(UUID().uuidString)"
    let copy = folder.appendingPathComponent(name)
    return (file.pathExtension.isEmpty ? copy : copy.appendingPathExtension(file.pathExtension)).path
  }

  /// The path that the store gets when it is put aside; nil when it goes on.
  var noted: String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: note)) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// Has the next opening make a new store.
  ///
  /// - Returns: The path that the store gets then, the same as before where that was noted already.
  func beginAgain() throws -> String {
    if let noted { return noted }
    let copy = try newCopy()
    try storeErrors { try Data(copy.utf8).write(to: URL(fileURLWithPath: note), options: .atomic) }
    return copy
  }

  /// Moves the store to the path that was noted; false when nothing was noted.
  ///
  /// - Throws: `StorageError.alreadyOpen` while it is open in any process.
  @discardableResult
  func move() throws -> Bool {
    guard let noted else { return false }
    if FileManager.default.fileExists(atPath: path) { try Store.move(path, to: noted) }
    // After the store: killed in between, the next call finds no file.
    try? FileManager.default.removeItem(atPath: note)
    return true
  }

  private func storeErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as CocoaError {
      throw StorageError(
        error.code == .fileWriteOutOfSpace ? .outOfDiskSpace : .fileAccess,
        "The recovery copy of '\(path)' cannot be made: \(error.localizedDescription)", path: path)
    }
  }
}
