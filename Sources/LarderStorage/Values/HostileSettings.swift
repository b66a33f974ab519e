import Foundation

/// Settings that make rare paths common, under which the tests run as well.
///
/// The environment variable `LARDER_HOSTILE` names them, separated by commas. Only builds for debugging read it: in a release build every
/// setting is off, and costs nothing.
package struct HostileSettings: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `planner`: each query is answered object by object, without kernels and indexes.
  package static let rowByRow = HostileSettings(rawValue: 1)
  /// `reopen`: nothing that a store keeps in memory outlives a commit, as if it were closed and opened again after each.
  package static let reopening = HostileSettings(rawValue: 2)
  /// `clusters`: new stores have clusters of 8 objects, the fewest there can be.
  package static let smallClusters = HostileSettings(rawValue: 4)
  /// `memory`: a transaction writes out what it has decoded as soon as that takes more than a page.
  package static let littleMemory = HostileSettings(rawValue: 8)
  /// `checksums`: blocks and leaves are hashed each time they are read, not only the first time.
  package static let everyChecksum = HostileSettings(rawValue: 16)

  private static let names: [String: HostileSettings] = [
    "planner": .rowByRow, "reopen": .reopening, "clusters": .smallClusters, "memory": .littleMemory,
    "checksums": .everyChecksum,
  ]

  #if DEBUG
    /// The settings that this process runs under.
    package static let current = HostileSettings(named: ProcessInfo.processInfo.environment["LARDER_HOSTILE"] ?? "")
  #else
    /// The settings that this process runs under.
    package static var current: HostileSettings { [] }
  #endif

  /// The settings of a list of names; a name that is none stops the process, so that no run passes for one that it was not.
  init(named list: String) {
    self = []
    for name in list.split(separator: ",") {
      guard let setting = Self.names[String(name)] else {
        preconditionFailure(
          "LARDER_HOSTILE has '\(name)': expected \(Self.names.keys.sorted().joined(separator: ", "))")
      }
      insert(setting)
    }
  }

  /// Returns the number of objects in a cluster of a new store, which is `usual` otherwise.
  package func clusterSize(_ usual: Int) -> Int { contains(.smallClusters) ? 8 : usual }

  /// Returns the number of bytes of each kind that a transaction may hold in memory, which is `usual` otherwise.
  func memory(_ usual: Int) -> Int { contains(.littleMemory) ? 4_096 : usual }
}
