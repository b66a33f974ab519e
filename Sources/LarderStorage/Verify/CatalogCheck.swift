import LarderLMDB

/// Checks the schema and the counters of classes.
struct CatalogCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// The schema's numbers and names are each given once, and what they refer to is there.
  func checkSchema() {
    let record = snapshot.schemaRecord
    for (id, count) in Dictionary(grouping: record.classes, by: \.id).mapValues(\.count) where count > 1 {
      report(.catalog, "class number \(id.rawValue)", "\(count) classes have it")
    }
    for (name, count) in Dictionary(grouping: record.classes, by: \.name).mapValues(\.count) where count > 1 {
      report(.catalog, name, "\(count) classes have this name")
    }
    for entry in record.classes {
      if entry.id.rawValue == 0 || entry.id.rawValue >= record.nextClassID {
        report(.catalog, entry.name, "its number \(entry.id.rawValue) would be given again")
      }
      checkColumns(entry, nextColumn: record.nextColumnID[entry.id] ?? 0)
      for index in entry.indexes
      where index.columns.contains(where: { entry.column($0)?.collection != CollectionKind.none }) {
        report(
          .catalog, entry.name, "the index over several properties number \(index.id) names one that cannot be in it")
      }
    }
    for retired in record.retired {
      let isUsed = record.classes.contains { entry in
        entry.id == retired.classID && (retired.column.map { entry.column($0) != nil } ?? true)
      }
      if isUsed { report(.catalog, retired.name, "it was removed, and its number is in use") }
    }
  }

  private func checkColumns(_ entry: ClassDescriptor, nextColumn: UInt16) {
    if Set(entry.columns.map(\.id)).count != entry.columns.count {
      report(.catalog, entry.name, "two columns have one number")
    }
    if Set(entry.columns.map(\.name)).count != entry.columns.count {
      report(.catalog, entry.name, "two properties have one name")
    }
    if entry.isEmbedded, entry.primaryKey != nil {
      report(.catalog, entry.name, "its objects are embedded, and have a primary key")
    }
    if entry.columns.count(where: \.isPrimaryKey) > 1 { report(.catalog, entry.name, "it has two primary keys") }
    for column in entry.columns {
      let place = "\(entry.name).\(column.name)"
      if column.id == .presence || column.id.rawValue >= nextColumn {
        report(.catalog, place, "its number \(column.id.rawValue) would be given again")
      }
      if let target = column.target, snapshot.schema[target] == nil {
        report(.catalog, place, "links to class number \(target.rawValue), which is unknown")
      }
      if (column.type == .link) != (column.target != nil) {
        report(.catalog, place, "only links have a class that they lead to")
      }
      if column.hasIndex, column.collection != .none || IndexValue.codec(for: column.type) == nil {
        report(.catalog, place, "a property of this type cannot have an index")
      }
      if column.isFullText, column.collection != .none || column.type != .string {
        report(.catalog, place, "only text can have a full-text index")
      }
    }
  }

  /// The counters of a class fit what is stored of it.
  func checkCounters(_ entry: ClassDescriptor) {
    var present = 0
    var last: UInt64?
    do {
      for cluster in try snapshot.liveClusters(of: entry.id) {
        guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
        let bits = presence.bitmap(capacity: snapshot.clusterSize)
        present += bits.popcount
        if let slot = bits.last { last = UInt64(cluster * snapshot.clusterSize + slot) }
      }
      let counted = snapshot.statedCount(of: entry.id)
      if counted != present {
        report(.catalog, entry.name, "the catalog counts \(counted) objects, the clusters hold \(present)")
      }
      let next = snapshot.nextObjectKey(of: entry.id).rawValue
      if let last, last >= next {
        report(.catalog, entry.name, "the next object would get the key \(next), and there is an object \(last)")
      }
      if !CatalogState.canHaveGiven(next, version: snapshot.version) {
        report(
          .catalog, entry.name,
          "the next object would get the key \(next), and \(snapshot.version) versions cannot have given so many")
      }
    } catch {
      report(.presence, entry.name, "\(error)")
    }
  }
}
