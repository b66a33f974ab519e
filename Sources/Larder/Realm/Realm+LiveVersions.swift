import Foundation
import LarderStorage

extension Realm {
  /// A version of the store that this process still reads.
  ///
  /// Space freed since then cannot be used again while it lives: the file grows.
  public struct LiveVersion: Sendable, CustomStringConvertible {
    /// The number of the commit that made it.
    public let version: UInt64
    /// Seconds since it was first read.
    public let age: TimeInterval
    /// The Realms that are at it, with where they live; empty when only an observer or a reference holds it.
    public let holders: [String]

    public var description: String {
      let held = holders.isEmpty ? "an observer, a reference or a query" : holders.joined(separator: ", ")
      return "version \(version), for \(String(format: "%.1f", age)) s, held by \(held)"
    }
  }

  /// The versions of this Realm's store that this process reads now, the oldest first. Other processes are not asked.
  public var liveVersions: [LiveVersion] {
    core.checkThread()
    return orMisuse { try core.liveVersions() }
  }
}

extension RealmCore {
  func liveVersions() throws -> [Realm.LiveVersion] {
    let holders = RealmRegistry.shared.whereabouts(of: store)
    return try store.pinnedVersions().map { pinned in
      Realm.LiveVersion(
        version: pinned.version, age: pinned.age,
        holders: holders.filter { $0.version == pinned.version }.map(\.text).sorted())
    }
  }

  /// Throws when more versions are in use than the configuration allows (E-37).
  func verifyActiveVersions() throws {
    guard let limit = configuration.maximumNumberOfActiveVersions else { return }
    let versions = try liveVersions()
    guard versions.count > Int(clamping: limit), let oldest = versions.first else { return }
    throw Realm.Error.make(
      .fail,
      "\(versions.count) versions of '\(store.path)' are in use, the limit is \(limit): something holds an old Realm, frozen object "
        + "or reference (oldest: \(oldest)). Let go of it, or raise maximumNumberOfActiveVersions.", path: store.path)
  }
}

/// The place and the version of a Realm, for reports from any thread.
struct RealmLocation: Sendable {
  var version: UInt64
  /// The place of the Realm; for a frozen one, the place where it was made.
  var place: Confinement
  var isFrozen: Bool

  var text: String { isFrozen ? "a frozen Realm made on \(place.text)" : "the Realm of \(place.text)" }
}
