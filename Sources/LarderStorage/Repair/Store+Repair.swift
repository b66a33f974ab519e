import LarderLMDB

/// The newest version of a damaged store, as far as it can be read.
package struct RepairedVersion {
  /// The readable version: with the objects that leaves, tails and indexes tell of, whatever the counters say.
  package let snapshot: Snapshot
  /// The problems that were met, each in a sentence.
  package internal(set) var problems: [String] = []
  /// Values that the newest rows of classes no longer have, by class and property.
  package internal(set) var lostValues: [(entry: ClassDescriptor, column: ColumnDescriptor, count: Int)] = []
  /// The impossible parts of the schema that were left out, each in a sentence.
  package internal(set) var changes: [String] = []
}

extension Store {
  /// Reads the newest version without trusting the catalog: for saving what is left of a damaged store.
  ///
  /// - Parameter trustsSchema: Whether a schema record that is damaged is refused, or taken as far as it makes sense.
  /// - Throws: `StorageError` when there is no schema to read the objects by.
  package func repairedVersion(trustsSchema: Bool = true) throws -> RepairedVersion {
    try storageErrors(path) {
      let repair = VersionRepair(
        store: self, transaction: try environment.beginRead(), trustsSchema: trustsSchema)
      return try repair.run()
    }
  }
}

private final class VersionRepair {
  let store: Store
  let transaction: ReadTransaction
  private let trustsSchema: Bool
  private var problems: [String] = []
  private var lostValues: [(entry: ClassDescriptor, column: ColumnDescriptor, count: Int)] = []
  private var changes: [String] = []
  /// The objects that have elements in lists, sets or maps, in order.
  private var listed: [ClassID: [UInt64]] = [:]

  init(store: Store, transaction: ReadTransaction, trustsSchema: Bool) {
    self.store = store
    self.transaction = transaction
    self.trustsSchema = trustsSchema
  }

  func run() throws -> RepairedVersion {
    let record = try readSchema()
    let schema = StoreSchema(classes: record.classes, schemaVersion: record.schemaVersion)
    let stated = readState()
    var state = stated
    var clusters: [ClassID: [Int]] = [:]
    var tails: [ClassID: TailRecord?] = [:]
    for entry in schema.classes {
      // Where no page is lost a list without its object is damage of another kind.
      if !trustsSchema { listed[entry.id] = try ListedObjects(store, transaction).keys(of: entry) }
      var found = try storedClusters(entry.id, within: Int(clamping: stated[entry.id].nextKey))
      let tail = soundTail(entry, last: found.last, stated[entry.id])
      if let tail, tail.cluster != found.last { found.append(tail.cluster) }
      clusters[entry.id] = found
      tails[entry.id] = .some(tail)
      state[entry.id].nextKey = UInt64((found.last ?? -1) + 1) * UInt64(store.clusterSize)
    }
    let snapshot = Snapshot(
      store: store, transaction: transaction, schema: schema, record: record, state: state, unchangedWrites: 0)
    for entry in schema.classes {
      snapshot.setTail(tails[entry.id] ?? nil, of: entry.id)
      try restorePresence(entry, clusters[entry.id] ?? [], stated[entry.id], snapshot)
    }
    return RepairedVersion(snapshot: snapshot, problems: problems, lostValues: lostValues, changes: changes)
  }

  private func attempt<R>(_ body: () throws -> R) -> R? {
    do { return try body() } catch {
      problems.append("\(error)")
      return nil
    }
  }

  // MARK: - Catalog

  private func readSchema() throws -> SchemaRecord {
    guard let bytes = try transaction.get(store.tables.catalog, StoreLayout.schemaKey) else {
      throw StorageError(
        .corrupted, "The catalog of '\(store.path)' has no schema record, without which nothing in it can be read.",
        path: store.path)
    }
    var record: SchemaRecord
    if trustsSchema {
      record = try SchemaRecord(CatalogSeal.open(bytes, StoreLayout.schemaWord))
    } else if let sound = attempt({ try SchemaRecord(CatalogSeal.open(bytes, StoreLayout.schemaWord)) }) {
      record = sound
    } else {
      record = try SchemaRecord(bytes, isTrusted: false)
    }
    // A right checksum says only that this was written.
    if !trustsSchema {
      let found = try RebuiltClasses(store, transaction).missing(in: record)
      for entry in found {
        record.classes.append(entry)
        changes.append(
          "Class number \(entry.id.rawValue), of which no schema is left, is '\(entry.name)' in the copy; its properties "
            + "are named after their numbers.")
      }
    }
    let possible = PossibleSchema(record)
    problems += possible.problems
    changes += possible.problems
    return possible.record
  }

  private func readState() -> CatalogState {
    let bytes = attempt { try transaction.get(store.tables.catalog, StoreLayout.stateKey) } ?? nil
    guard let bytes else { return CatalogState() }
    func part(_ word: UInt64) throws -> [UInt8]? { try transaction.get(store.tables.catalog, KeyBytes(word))?.bytes }
    return attempt { try CatalogState(bytes, part: part) }
      ?? (try? CatalogState(bytes, isTrusted: false, part: part)) ?? CatalogState()
  }

  // MARK: - Clusters

  /// The numbers of a class's clusters that have leaves, in order.
  private func storedClusters(_ classID: ClassID, within nextKey: Int) throws -> [Int] {
    let cursor = try transaction.cursor(store.tables.clusters, for: .examining)
    var result: [Int] = []
    var entry = try cursor.seek(KeyBytes(StoreLayout.leafKey(classID, .presence, cluster: 0)))
    while let found = entry {
      guard found.key.count == 8 else {
        entry = try cursor.next()
        continue
      }
      let word: UInt64 = found.key.loadBigEndian(0)
      guard word >> 48 == UInt64(classID.rawValue) else { break }
      let number = Int(UInt32(truncatingIfNeeded: word >> 16))
      result.append(number)
      guard number < UInt32.max else { break }
      entry = try cursor.seek(KeyBytes(StoreLayout.leafKey(classID, .presence, cluster: number + 1)))
    }
    // The leaves of an object may be lost, and its lists be there.
    result = Set(result + (listed[classID] ?? []).map { Int(clamping: $0) / store.clusterSize }).sorted()
    // A damaged key may name a cluster in the billions; all clusters up to the last are looked at.
    let stated = nextKey / store.clusterSize
    while let last = result.last, last > stated, last > 1_000 * (result.count + 1) { result.removeLast() }
    return result
  }

  // MARK: - Tails

  /// The newest rows of a class that are stored apart, without the columns that are damaged; nil when there are none.
  private func soundTail(
    _ entry: ClassDescriptor, last: Int?, _ stated: CatalogState.ClassCounters
  ) -> TailRecord? {
    guard store.hasTails else { return nil }
    let key = StoreLayout.tailKey(entry.id)
    guard let bytes = attempt({ try transaction.get(store.tables.catalog, KeyBytes(key)) }) ?? nil else { return nil }
    guard let tail = attempt({ try TailRecord(bytes, key: key) }) else { return nil }
    let newest = Int(clamping: stated.nextKey) - 1
    guard tail.cluster == last || tail.cluster == (last ?? -1) + 1 || tail.cluster == newest / store.clusterSize,
      tail.cluster >= last ?? 0, tail.slots.upperBound <= store.clusterSize
    else {
      problems.append("The newest objects of '\(entry.name)' are not at the end of the class.")
      return nil
    }
    if let leaf = storedPresence(entry.id, tail.cluster), leaf.count > 0,
      tail.slots.contains(where: { $0 < leaf.count && leaf.bool($0) })
    {
      problems.append("The newest objects of '\(entry.name)' are where others are.")
      return nil
    }
    return withoutDamage(tail, entry)
  }

  private func storedPresence(_ classID: ClassID, _ cluster: Int) -> LeafView? {
    let word = StoreLayout.leafKey(classID, .presence, cluster: cluster)
    guard let bytes = try? transaction.get(store.tables.clusters, KeyBytes(word)), LeafView.verify(bytes, key: word)
    else { return nil }
    return try? LeafView(bytes)
  }

  private func withoutDamage(_ tail: TailRecord, _ entry: ClassDescriptor) -> TailRecord {
    var sound: [(id: ColumnID, leaf: LeafView)] = []
    for (id, leaf) in tail.columns {
      let word = StoreLayout.leafKey(entry.id, id, cluster: tail.cluster)
      let descriptor = entry.column(id)
      if let descriptor, descriptor.collection == .none, descriptor.type == leaf.type, !leaf.hasLarge,
        LeafView.verify(leaf.bytes, key: word)
      {
        sound.append((id, leaf))
      } else if let descriptor {
        problems.append("The newest values of '\(entry.name).\(descriptor.name)' are damaged.")
        lostValues.append((entry, descriptor, tail.slots.count))
      }
    }
    return TailRecord(cluster: tail.cluster, slots: tail.slots, columns: sound)
  }

  // MARK: - Presence

  /// Finds out who is in the clusters whose presence bits are lost: the objects that an index names, or all when as many are missing
  /// or none was ever deleted; and those whose lists are there.
  private func restorePresence(
    _ entry: ClassDescriptor, _ clusters: [Int], _ stated: CatalogState.ClassCounters, _ snapshot: Snapshot
  ) throws {
    let count = Int(clamping: stated.count)
    var damaged: [Int] = []
    var present = 0
    for cluster in clusters {
      if let leaf = attempt({ try snapshot.presence(entry.id, cluster: cluster) }) ?? nil {
        present += leaf.bitmap(capacity: store.clusterSize).popcount
      } else {
        damaged.append(cluster)
      }
    }
    guard !damaged.isEmpty else { return }
    let indexed = indexedKeys(entry, snapshot)
    let slots = damaged.map { highestSlot(entry, $0, snapshot) }
    for (cluster, slots) in zip(damaged, slots) {
      var bits = Bitmap(count: store.clusterSize)
      if let tail = try? snapshot.tail(of: entry.id, cluster: cluster) { tail.slots.forEach { bits.set($0) } }
      if let indexed {
        let first = UInt64(cluster * store.clusterSize)
        for key in indexed where key >= first && key < first + UInt64(store.clusterSize) { bits.set(Int(key - first)) }
      } else if damaged.count == 1, slots + (bits.isEmpty ? 0 : bits.popcount) == count - present {
        for slot in 0..<slots { bits.set(slot) }
      } else if stated.count > 0, stated.count == stated.nextKey {
        // None was ever deleted.
        let keys = max(0, count - cluster * store.clusterSize)
        for slot in 0..<min(slots, keys) { bits.set(slot) }
      }
      for key in listed[entry.id] ?? [] where Int(clamping: key) / store.clusterSize == cluster {
        bits.set(Int(key % UInt64(store.clusterSize)))
      }
      guard !bits.isEmpty else { continue }
      problems.append("Which objects are in cluster \(cluster) of '\(entry.name)' was found out by other means.")
      snapshot.setPresence(bits, entry.id, cluster: cluster)
    }
  }

  /// One more than the highest slot of any leaf of a cluster.
  private func highestSlot(_ entry: ClassDescriptor, _ cluster: Int, _ snapshot: Snapshot) -> Int {
    entry.columns.reduce(0) { highest, column in
      let word = StoreLayout.leafKey(entry.id, column.id, cluster: cluster)
      guard let bytes = try? transaction.get(store.tables.clusters, KeyBytes(word)),
        let slots = StoredLeaf.read(bytes, key: word, { $0.count })
      else { return highest }
      return max(highest, min(slots, store.clusterSize))
    }
  }

  /// The keys of all objects as the first readable index of the class has them; nil without one.
  private func indexedKeys(_ entry: ClassDescriptor, _ snapshot: Snapshot) -> [UInt64]? {
    for column in entry.columns.filter(\.hasIndex) {
      var keys: [UInt64] = []
      let isWhole: ()? = try? snapshot.index(entry.id, column.id)?.forEach(descending: false) { key in
        keys.append(key.rawValue)
        return true
      }
      if isWhole != nil { return keys }
    }
    return nil
  }
}
