import LarderStorage

extension Snapshot {
  /// The keys of the objects of a class, ascending.
  func keys(of id: ClassID) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for number in try liveClusters(of: id) {
      guard let bitmap = try presence(id, cluster: number)?.bitmap(capacity: clusterSize) else { continue }
      for slot in 0..<bitmap.count where bitmap[slot] {
        keys.append(ObjectKey(rawValue: UInt64(number * clusterSize + slot)))
      }
    }
    return keys
  }
}
