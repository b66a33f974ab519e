import LarderStorage

extension StoreReader {
  /// Calls `body` with the key of each object of a class in ascending order until it returns false.
  package func forEachKey(of classID: ClassID, _ body: (ObjectKey) throws -> Bool) throws {
    for cluster in try liveClusters(of: classID) {
      guard let presence = try presence(classID, cluster: cluster) else { continue }
      let slots = (0..<presence.count).filter { presence.bool($0) }
      for slot in slots where try !body(ObjectKey(rawValue: UInt64(cluster * clusterSize + slot))) { return }
    }
  }
}
