/// Telling transactions that change nothing from others.
struct EqualAssignments {
  let writer: StoreWriter

  /// Assignments that are compared; with more of them a transaction counts as one that changes something.
  private static let comparedAssignments = 4_096

  /// Returns what was assigned, where a commit would make a version like the one before: nothing was written, no key was given, and what was assigned
  /// is what was there. Nil where something changed, or may have.
  private func unchangedAssignments() throws -> [Assignment]? {
    guard !writer.schemaState.isDirty, writer.schemaState.migrating == nil, !writer.transaction.hasChanged,
      writer.trees.isEmpty
    else { return nil }
    for case let owner? in writer.classes where owner.firstNewKey != owner.nextKey || !owner.primaryKeys.isEmpty {
      return nil
    }
    if writer.recorder.isEmpty {
      return !writer.openLists.hasChanges && !writer.classes.contains { $0?.isDirty ?? false } ? [] : nil
    }
    // Who follows the log hears of every assignment.
    guard !writer.recorder.needsPrimaryKeys,
      let assigned = writer.recorder.assignments(atMost: Self.comparedAssignments)
    else {
      return nil
    }
    guard assigned.reduce(0, { $0 + $1.keys.count }) <= Self.comparedAssignments else { return nil }
    guard try assigned.allSatisfy({ try isUnchanged($0.classID, $0.column, $0.keys) }) else { return nil }
    // Another process that reads may observe. Asking costs some microseconds, so it comes last.
    return writer.store.environment.hasOtherReaders ? nil : assigned
  }

  /// Returns true if the transaction needs no version: it changed nothing, and observers of this process can be given what it assigned.
  ///
  /// - Parameter beforeOthers: Called where these are notified, before another writer of this process begins.
  func endsWithoutVersion(_ beforeOthers: () -> Void) throws -> Bool {
    guard let assigned = try unchangedAssignments() else { return false }
    guard writer.keepsEqualAssignments, !assigned.isEmpty else { return true }
    guard writer.store.noteUnchanged(assigned) else { return false }
    writer.announcement.moment = Moment(version: writer.base.version, unchangedWrites: writer.store.unchangedWrites)
    writer.announcement.isSmall = assigned.reduce(0) { $0 + $1.keys.count } <= CommitAnnouncement.smallChange
    beforeOthers()
    return true
  }

  private func isUnchanged(_ classID: ClassID, _ column: ColumnID, _ keys: KeyRanges) throws -> Bool {
    for run in keys.runs {
      for number in run.start..<run.end {
        let key = ObjectKey(rawValue: number)
        guard try isUnchanged(writer.base.value(classID, column, key), writer.value(classID, column, key)) else {
          return false
        }
      }
    }
    return true
  }

  private func isUnchanged(_ before: StoredValue, _ now: StoredValue) -> Bool {
    switch before {
    // They are others once they are assigned.
    case .list, .dictionary: false
    default: before.isStoredAlike(now)
    }
  }
}

extension StoreWriter {
  /// Compares what was assigned with what was there.
  @inline(__always)
  var assignments: EqualAssignments { EqualAssignments(writer: self) }
}
