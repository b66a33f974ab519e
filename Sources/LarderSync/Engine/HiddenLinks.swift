import LarderStorage

/// Says once of each class to how many of its objects links lead that are not on this device (Y-33).
struct HiddenLinks: Sendable {
  private var known: Set<ClassID> = []

  /// The classes, in order, that have such objects and had none before, with how many. O(n) of them.
  mutating func newCounts(in snapshot: Snapshot, _ catalog: SyncCatalog) throws -> [HiddenLinkCount] {
    var counts: [HiddenLinkCount] = []
    for entry in catalog.entries where entry.primaryKey != nil && !known.contains(entry.descriptor.id) {
      let count = try snapshot.ghostCount(of: entry.descriptor.id)
      guard count > 0 else { continue }
      known.insert(entry.descriptor.id)
      counts.append(HiddenLinkCount(className: entry.descriptor.name, objects: count))
    }
    return counts
  }
}

/// The number of objects of a class that links lead to and that are not on this device.
package struct HiddenLinkCount: Hashable, Sendable {
  /// The class of the objects.
  package let className: String
  /// The number of those objects.
  package let objects: Int
}
