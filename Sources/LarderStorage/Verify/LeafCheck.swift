import LarderLMDB

/// Checks the leaves of clusters, and large values.
struct LeafCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Walks the table of leaves: keys, checksums, headers, types, and whether each cluster's leaves fit together.
  func checkLeaves() throws {
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.clusters, for: .examining)
    var entry = try cursor.first()
    var cluster: (classID: ClassID, number: Int, presence: Bitmap?)?
    while let found = entry {
      guard !problems.isFull else { return }
      check(found, &cluster)
      entry = try cursor.next()
    }
  }

  private func check(_ entry: Entry, _ cluster: inout (classID: ClassID, number: Int, presence: Bitmap?)?) {
    guard entry.key.count == 8 else {
      return report(.leaf, "clusters", "a key of \(entry.key.count) bytes")
    }
    let word: UInt64 = entry.key.loadBigEndian(0)
    let classID = ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))
    let number = Int(UInt32(truncatingIfNeeded: word >> 16))
    let column = ColumnID(rawValue: UInt16(truncatingIfNeeded: word))
    guard let owner = snapshot.schema[classID] else {
      return report(.leaf, "class number \(classID.rawValue)", "a leaf of a class that the schema does not know")
    }
    let place = location(owner, column, number)
    guard LeafView.verify(entry.value, key: word) else {
      return report(column == .presence ? .presence : .leaf, place, "its checksum does not fit")
    }
    do {
      let stored = try StoredLeaf(entry.value, key: word)
      defer { withExtendedLifetime(stored.memory) {} }
      let view = stored.view
      if number >= (try snapshot.clusterCount(of: classID)) {
        report(.leaf, place, "is beyond the last cluster of the class")
      }
      if view.count > snapshot.clusterSize {
        report(.leaf, place, "\(view.count) slots in a cluster of \(snapshot.clusterSize)")
      }
      if column == .presence {
        guard view.type == nil else { return report(.presence, place, "holds values and no bits of presence") }
        let presence = view.bitmap(capacity: snapshot.clusterSize)
        cluster = (classID, number, presence)
        if presence.isEmpty { report(.presence, place, "an empty cluster keeps its leaves") }
      } else {
        checkColumn(
          view, owner, column, place,
          cluster?.classID == classID && cluster?.number == number
            ? cluster?.presence : nil)
      }
    } catch {
      report(.leaf, place, "\(error)")
    }
  }

  private func checkColumn(
    _ view: LeafView, _ owner: ClassDescriptor, _ column: ColumnID, _ place: String, _ presence: Bitmap?
  ) {
    guard let descriptor = owner.column(column), descriptor.collection == .none else {
      return report(.leaf, place, "a leaf of a column that the schema does not know")
    }
    guard view.type == descriptor.type else {
      return report(.leaf, place, "holds \(view.type.map { "\($0)" } ?? "bits"), the schema says \(descriptor.type)")
    }
    guard let presence else { return report(.presence, place, "a leaf of a cluster without a presence bitmap") }
    let slots = (presence.last ?? -1) + 1
    if view.count < slots { report(.leaf, place, "\(view.count) slots for \(slots) objects") }
    if let problem = view.problem(present: presence) { report(.leaf, place, problem) }
    guard !descriptor.isOptional, descriptor.type != .link, view.nullCount > 0 else { return }
    for slot in 0..<view.count where view.isNull(slot) && presence[slot] {
      return report(.leaf, place, "nil in slot \(slot) of a required property")
    }
  }

  func location(_ owner: ClassDescriptor, _ column: ColumnID, _ cluster: Int) -> String {
    let name = column == .presence ? "(presence)" : owner.column(column)?.name ?? "column \(column.rawValue)"
    return "\(owner.name).\(name), cluster \(cluster)"
  }

  /// Every slot marked as large has its value, and every large value its slot.
  func checkLarge(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.collection == .none && column.type.holdsBytes {
      for number in try snapshot.liveClusters(of: entry.id) {
        guard let view = try snapshot.leaf(entry.id, column.id, cluster: number), view.hasLarge,
          let presence = try snapshot.presence(entry.id, cluster: number)
        else { continue }
        for slot in 0..<view.count where view.isLarge(slot) && slot < presence.count && presence.bool(slot) {
          let key = ObjectKey(rawValue: UInt64(number * snapshot.clusterSize + slot))
          do {
            let bytes = try snapshot.largeValue(entry.id, column.id, key)
            if column.type == .mixed { _ = try StoredValue(bytes: bytes, type: .mixed) }
            if column.type == .string, String(validating: bytes, as: UTF8.self) == nil {
              report(.large, "\(entry.name).\(column.name), object \(key.rawValue)", "text that is not UTF-8")
            }
          } catch {
            report(.large, "\(entry.name).\(column.name), object \(key.rawValue)", "\(error)")
          }
        }
      }
    }
    try checkLargeOwners(entry)
  }

  private func checkLargeOwners(_ entry: ClassDescriptor) throws {
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.large, for: .examining)
    var found = try cursor.seek(KeyBytes(UInt64(entry.id.rawValue) << 48))
    while let record = found {
      found = try cursor.next()
      // Of keys of another size `checkStrays` tells.
      guard record.key.count == 24 else { continue }
      let word: UInt64 = record.key.loadBigEndian(0)
      guard word >> 48 == UInt64(entry.id.rawValue) else { return }
      let column = ColumnID(rawValue: UInt16(truncatingIfNeeded: word >> 32))
      let key = ObjectKey(rawValue: record.key.loadBigEndian(8))
      if let descriptor = entry.column(column), descriptor.collection == .none {
        let (number, slot) = snapshot.locate(key)
        let view = try snapshot.leaf(entry.id, column, cluster: number)
        let isPresent = try snapshot.contains(entry.id, key)
        if !isPresent || !(view.map { slot < $0.count && $0.isLarge(slot) } ?? false) {
          report(.large, "\(entry.name).\(descriptor.name), object \(key.rawValue)", "a large value without its slot")
        } else if let stub = view?.largeStub(slot),
          record.key.loadBigEndian(16, as: UInt64.self) > UInt64((stub.length + 7) / LargeValues.partSize)
        {
          report(
            .large, "\(entry.name).\(descriptor.name), object \(key.rawValue)", "a part that the value does not have")
        }
      }
    }
  }
}
