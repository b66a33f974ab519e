/// The net change between two versions of a store, merged from their records.
package struct ChangeSummary: Hashable, Sendable {
  /// The changes of one class.
  package struct Class: Hashable, Sendable {
    /// Details are unknown: everything may have changed.
    package var isTruncated = false
    package var inserted = KeyRanges()
    package var deleted = KeyRanges()
    /// By column, lists included; objects that were inserted or deleted are not mentioned.
    package var modified: [ColumnID: KeyRanges] = [:]
    /// Edits of each list in order; also of sets and maps, as edits of the lists of their elements and values. Those of
    /// objects that were inserted or deleted are not mentioned.
    package var lists: [ListID: [ListEdit]] = [:]
    /// The same edits of sets by value and of maps by key.
    package var sets: [ListID: [SetEdit]] = [:]
    package var maps: [ListID: [MapEdit]] = [:]
    /// Edits of lists and dictionaries within mixed values.
    package var nested: [ListID: [NestedEdit]] = [:]

    package init() {}

    /// Objects with any column modified.
    package var allModified: KeyRanges { modified.values.reduce(KeyRanges()) { $0.union($1) } }
    package var isEmpty: Bool { !isTruncated && inserted.isEmpty && deleted.isEmpty && modified.isEmpty }
  }

  /// One list, set or map of one object.
  package struct ListID: Hashable, Sendable {
    package let column: ColumnID
    package let key: ObjectKey

    package init(column: ColumnID, key: ObjectKey) {
      self.column = column
      self.key = key
    }
  }

  package var older: UInt64
  package var newer: UInt64
  /// False when the log no longer holds the versions: then everything may have changed.
  package var isComplete: Bool
  package var schemaChanged = false
  package var classes: [ClassID: Class] = [:]

  package init(older: UInt64, newer: UInt64, isComplete: Bool = true) {
    self.older = older
    self.newer = newer
    self.isComplete = isComplete
  }

  package subscript(_ classID: ClassID) -> Class? { classes[classID] }

  /// Returns true if details about the class are unknown.
  package func isUnknown(_ classID: ClassID) -> Bool { !isComplete || classes[classID]?.isTruncated == true }

  package var isEmpty: Bool { isComplete && !schemaChanged && classes.allSatisfy { $0.value.isEmpty } }
}

/// Merges records, given in order of version.
struct ChangeSummaryBuilder {
  private struct Runs {
    var inserted: [KeyRange] = []
    var deleted: [KeyRange] = []
    var modified: [ColumnID: [KeyRange]] = [:]
    var lists: [ChangeSummary.ListID: [ListEdit]] = [:]
    var sets: [ChangeSummary.ListID: [SetEdit]] = [:]
    var maps: [ChangeSummary.ListID: [MapEdit]] = [:]
    var nested: [ChangeSummary.ListID: [NestedEdit]] = [:]
    var isTruncated = false

    mutating func edited(_ id: ChangeSummary.ListID, _ edits: [ListEdit]) {
      if !edits.isEmpty { lists[id, default: []] += edits }
      modified[id.column, default: []].append(KeyRange(start: id.key.rawValue, count: 1))
    }
  }

  private var summary: ChangeSummary
  private var classes: [ClassID: Runs] = [:]

  package init(older: UInt64, newer: UInt64) { summary = ChangeSummary(older: older, newer: newer) }

  package mutating func add(_ record: CommitRecord) {
    if record.flags.contains(.schemaChange) { summary.schemaChanged = true }
    for changes in record.classes {
      var runs = classes.removeValue(forKey: changes.classID) ?? Runs()
      runs.isTruncated = runs.isTruncated || changes.isTruncated
      runs.inserted += changes.inserted.runs
      runs.deleted += changes.deleted.runs
      runs.deleted += changes.derivedDeleted.runs
      for entry in changes.modified { runs.modified[entry.column, default: []] += entry.keys.runs }
      for list in changes.lists {
        runs.edited(ChangeSummary.ListID(column: list.column, key: list.key), list.edits)
      }
      for set in changes.sets {
        let id = ChangeSummary.ListID(column: set.column, key: set.key)
        runs.edited(id, set.edits.flatMap(\.listEdits))
        runs.sets[id, default: []] += set.edits
      }
      for map in changes.maps {
        let id = ChangeSummary.ListID(column: map.column, key: map.key)
        runs.edited(id, map.edits.map(\.listEdit))
        runs.maps[id, default: []] += map.edits
      }
      for entry in changes.nested {
        let id = ChangeSummary.ListID(column: entry.column, key: entry.key)
        runs.edited(id, [])
        runs.nested[id, default: []] += entry.edits
      }
      classes[changes.classID] = runs
    }
  }

  /// Adds what was assigned without a record.
  mutating func add(_ assignment: Assignment) {
    classes[assignment.classID, default: Runs()].modified[assignment.column, default: []] += assignment.keys.runs
  }

  package func finish() -> ChangeSummary {
    var result = summary
    for (classID, runs) in classes {
      var merged = ChangeSummary.Class()
      merged.isTruncated = runs.isTruncated
      // Keys are never reused, so what was both inserted and deleted came first and went then.
      let inserted = KeyRanges(unordered: runs.inserted)
      let deleted = KeyRanges(unordered: runs.deleted)
      let neither = inserted.union(deleted)
      merged.inserted = inserted.subtracting(deleted)
      merged.deleted = deleted.subtracting(inserted)
      for (column, keys) in runs.modified {
        let kept = KeyRanges(unordered: keys).subtracting(neither)
        if !kept.isEmpty { merged.modified[column] = kept }
      }
      merged.lists = runs.lists.filter { !neither.contains($0.key.key) }
      merged.sets = runs.sets.filter { !neither.contains($0.key.key) }
      merged.maps = runs.maps.filter { !neither.contains($0.key.key) }
      merged.nested = runs.nested.filter { !neither.contains($0.key.key) }
      if !merged.isEmpty { result.classes[classID] = merged }
    }
    return result
  }
}
