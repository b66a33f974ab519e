/// One group of the checks of a store.
protocol StoreCheck {
  var snapshot: Snapshot { get }
  var problems: ProblemList { get }
}

extension StoreCheck {
  func report(_ structure: StoreProblem.Structure, _ location: String, _ message: String) {
    problems.add(StoreProblem(structure, location, message))
  }

  /// Calls `body` with the key of each present object of a class.
  func forEachObject(_ entry: ClassDescriptor, _ body: (ObjectKey) throws -> Void) throws {
    for cluster in try snapshot.liveClusters(of: entry.id) {
      guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
      try presence.bitmap(capacity: snapshot.clusterSize).forEachSet { slot in
        try body(ObjectKey(rawValue: UInt64(cluster * snapshot.clusterSize + slot)))
      }
    }
  }
}
