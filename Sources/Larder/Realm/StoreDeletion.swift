import Foundation
import LarderStorage

/// Deletes the files of a store that is open nowhere.
package struct StoreDeletion {
  private let configuration: Realm.Configuration
  private let path: String

  /// - Throws: `Realm.Error` for a configuration without a path.
  package init(_ configuration: Realm.Configuration) throws {
    self.configuration = configuration
    path = try RealmRegistry.path(of: configuration)
  }

  /// Deletes them; false when there are none.
  ///
  /// - Throws: `Realm.Error.alreadyOpen`; unless they are discarded, `.fail` for commits of a synced store that the server does not have (Y-30), and
  ///   what opening throws.
  package func run(discardsUnsentChanges: Bool = false) throws -> Bool {
    ScopedRealms.shared.close(path: path)
    return try orRealmError(path: path) {
      if !discardsUnsentChanges { try verifyIsSent() }
      return try Store.remove(path)
    }
  }

  private func verifyIsSent() throws {
    guard let sync = configuration.syncConfiguration?.synchroniser, FileManager.default.fileExists(atPath: path),
      !Store.isOpen(path)
    else { return }
    let count = try unsentCommits(sync)
    guard count > 0 else { return }
    throw Realm.Error.make(
      .fail,
      "'\(path)' has \(count) \(count == 1 ? "commit" : "commits") not yet on the server. Open it with a connection until they are sent, or "
        + "delete it with discardingUnsentChanges.",
      path: path)
  }

  /// The store is closed again afterwards.
  private func unsentCommits(_ sync: any Synchroniser) throws -> Int {
    var options = StoreOptions()
    options.encryptionKey = configuration.encryptionKey.flatMap { EncryptionKey($0) }
    return try sync.unsentCommits(of: try Store.open(path: path, options: options))
  }
}
