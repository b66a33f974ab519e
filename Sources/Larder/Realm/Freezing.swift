import LarderStorage

/// Makes frozen Realms of a store's versions. Keeps the store open, but no Realm and no version in use.
struct Freezing: Sendable {
  let store: Store
  let configuration: Realm.Configuration
  let models: [ModelClass]
  /// For a store in memory: keeps its files.
  let files: InMemoryFiles?

  /// The frozen Realm of a version; the same one while it is in use. From any thread.
  func realm(at version: Snapshot) -> RealmCore {
    RealmRegistry.shared.frozen(version) {
      RealmCore(
        store: store, snapshot: version, schema: version.schema, configuration: configuration, models: models,
        place: RealmPlace(.anywhere, queue: nil, isFrozen: true), files: files)
    }
  }
}
