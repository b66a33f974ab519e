import Foundation
import LarderStorage

extension User {
  /// Deletes the user's stores, logs the user out and forgets it. Harmless when that was done.
  ///
  /// Throws `Realm.Error.alreadyOpen` while a store of the user is open, in this process or another, and `.fail` for one with commits that the server
  /// does not have, or that cannot be read because it is encrypted; then nothing is deleted, and the user stays logged in. Delete such stores first, with
  /// `Realm.deleteFiles(for:discardingUnsentChanges:)`. A store that another process opens meanwhile stays, as do those after it.
  public func remove() async throws {
    guard state != .removed else { return }
    let paths = storePaths
    for path in paths { try await verifyRemoval(of: path) }
    for path in paths { _ = try orRealmError(path: path) { try Store.remove(path) } }
    forgotten()
  }

  /// Removes the user as the asynchronous form does, and calls back on a private queue.
  public func remove(completion: @escaping @Sendable ((any Error)?) -> Void) {
    Task {
      do {
        try await remove()
        completion(nil)
      } catch { completion(error) }
    }
  }

  /// The files of the user's stores; none for a user who has had none.
  private var storePaths: [String] {
    let folder = app.paths.stores(app: app.id, user: id)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".realm") }.sorted().map { "\(folder)/\($0)" }
  }

  private func verifyRemoval(of path: String) async throws {
    await SessionRegistry.shared.endLingering(at: path)
    guard !Store.isOpen(path) else {
      throw Realm.Error.make(
        .alreadyOpen, "'\(path)' is open. Close it everywhere before the user '\(id)' is removed.", path: path)
    }
    let count: Int
    do {
      count = try DeviceKeeper.unsentCommits(of: try Store.open(path: path))
    } catch let error as StorageError {
      throw Realm.Error.make(
        .fail,
        "Whether '\(path)' has unsent commits cannot be read: \(error.message) Delete it with Realm.deleteFiles(for:) before the user is removed.",
        path: path, underlying: error)
    }
    guard count == 0 else {
      throw Realm.Error.make(
        .fail,
        "'\(path)' has \(count) \(count == 1 ? "commit" : "commits") not yet on the server; the user '\(id)' is not removed.",
        path: path)
    }
  }
}
