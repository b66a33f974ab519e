/// Counts the objects of a class where the file may be damaged or made to mislead.
extension Snapshot {
  /// Clusters of a class whose presence bits are counted when its counter is first used: of a million objects that takes half a
  /// millisecond.
  private static let mostCompared = 1_024

  /// The number of live objects: what the catalog counts, or where that is wrong what the presence bits say.
  ///
  /// The two are compared once for each class of an opened store. In a class with more clusters than `mostCompared` the counter stands as
  /// long as the file can hold so many objects.
  /// - Throws: `.corrupted` for a counter that cannot be.
  package func count(of classID: ClassID) throws -> Int {
    let stated = statedCount(of: classID)
    if store.hasComparedCount(of: classID) { return stated }
    if let present = presentCount(of: classID) {
      if present == stated { store.noteComparedCount(of: classID) }
      return present
    }
    guard stated <= mostElements else { throw CatalogState.impossible }
    return stated
  }

  /// Returns the count that the catalog states, true or not.
  package func statedCount(of classID: ClassID) -> Int { Int(clamping: state[classID].count) }

  /// Returns the count of the presence bits; nil where they cannot be read, or are too many to be counted for this.
  private func presentCount(of classID: ClassID) -> Int? {
    do {
      let clusters = try liveClusters(of: classID)
      guard clusters.count <= Self.mostCompared else { return nil }
      return try clusters.reduce(0) { count, cluster in
        count + (try presence(classID, cluster: cluster)?.bitmap(capacity: clusterSize).popcount ?? 0)
      }
    } catch {
      // Damage of a leaf is the error of those who read it.
      return nil
    }
  }
}
