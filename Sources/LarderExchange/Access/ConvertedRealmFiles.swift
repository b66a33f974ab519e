import Foundation
import LarderLocks
import LarderRealmImport
import LarderStorage

/// Temporary stores that this process has made of `.realm` files, so that what reads stores reads those files, too.
///
/// Each is in a folder of its own, which goes when the process exits. A store of an encrypted file is encrypted with the file's key.
package final class ConvertedRealmFiles: Sendable {
  package static let shared = ConvertedRealmFiles()

  /// A conversion, for what tells of it and what removes it when the process is ended by a signal.
  package struct Conversion: Sendable {
    package let file: String
    package let folder: String
    /// Nil before it is made.
    package let report: RealmImportReport?
  }

  private struct State {
    /// Paths of the stores, by those of the files.
    var stores: [String: String] = [:]
    var folders: [String] = []
    var listener: (@Sendable (Conversion) -> Void)?
  }

  private let state = Lock(State())

  /// From now on `body` gets each conversion, before it is made and after it.
  package func onConversion(_ body: @escaping @Sendable (Conversion) -> Void) {
    state.withLock { $0.listener = body }
  }

  /// The path of the store to read: the path itself unless a `.realm` file is there, whose store is made where it was not yet.
  ///
  /// - Throws: `StorageError` for a file that cannot be read or a wrong key.
  func store(for path: String, _ source: KeySource) throws -> String {
    guard let kind = RealmFileKind(path: path), kind == .plain || source.isGiven else { return path }
    if let known = state.withLock({ $0.stores[path] }) { return known }
    let key = kind == .plain && !source.isFile ? nil : try source.bytes()
    let folder = "\(FileManager.default.temporaryDirectory.path)/larder-\(UUID().uuidString)"
    let listener = state.withLock { state in
      // Once for the process.
      if state.folders.isEmpty { atexit { ConvertedRealmFiles.shared.removeAll() } }
      state.folders.append(folder)
      return state.listener
    }
    listener?(Conversion(file: path, folder: folder, report: nil))
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StorageError(
        .fileAccess, "No folder for a temporary store can be made at '\(folder)': \(error.localizedDescription)",
        path: folder)
    }
    let store = "\(folder)/\(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent).larder"
    let importer = RealmImporter(path, key: key.map { Data($0) }, storeKey: key.flatMap { EncryptionKey($0) })
    let report = try importer.makeStore(at: store)
    state.withLock { $0.stores[path] = store }
    listener?(Conversion(file: path, folder: folder, report: report))
    return store
  }

  private func removeAll() {
    for folder in state.withLock({ $0.folders }) { try? FileManager.default.removeItem(atPath: folder) }
  }
}

extension KeySource {
  fileprivate var isGiven: Bool {
    if case .none = self { false } else { true }
  }

  fileprivate var isFile: Bool {
    if case .file = self { true } else { false }
  }
}
