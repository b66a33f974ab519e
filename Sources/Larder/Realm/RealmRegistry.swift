import Dispatch
import Foundation
import LarderStorage
import Synchronization

/// The Realms open in this process, by file and place: opening again in the same place gives the same instance.
final class RealmRegistry: Sendable {
  static let shared = RealmRegistry()

  private struct Key: Hashable {
    var path: String
    var confinement: Confinement
  }

  private struct Entry {
    weak var core: RealmCore?
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let opening = Mutex(())

  func open(_ configuration: Realm.Configuration, queue: DispatchQueue?) throws -> RealmCore {
    let confinement = queue.map { Confinement.onQueue($0) } ?? .current
    let path = URL(fileURLWithPath: try configuration.checkedPath()).standardizedFileURL.path
    let key = Key(path: path, confinement: confinement)
    if let core = live(key) {
      guard core.configuration.readOnly == configuration.readOnly else {
        misuse("'\(path)' is already open with a different readOnly setting.")
      }
      if core.fits(configuration) { return core }
    }
    let models = SchemaCheck.models(configuration)
    // One at a time: the second opener finds the schema applied.
    let opened = try opening.withLock { _ in
      Result { try RealmOpening(path: path, configuration: configuration, models: models).open() }
    }.get()
    let core = RealmCore(
      store: opened.store, snapshot: opened.snapshot, configuration: configuration, models: models,
      confinement: confinement, queue: queue, isFrozen: false)
    entries.withLock { entries in
      entries[key] = Entry(core: core)
      if entries.count > 64 { entries = entries.filter { $0.value.core != nil } }
    }
    return core
  }

  private func live(_ key: Key) -> RealmCore? { entries.withLock { $0[key]?.core } }

  /// The Realm of a store in a place, if one is open.
  func open(_ store: Store, in confinement: Confinement) -> RealmCore? {
    entries.withLock { entries in
      entries.values.lazy.compactMap(\.core).first { $0.store === store && $0.confinement == confinement }
    }
  }
}
