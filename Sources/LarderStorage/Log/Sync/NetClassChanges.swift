/// The changes that a transaction made in a class, as its operations tell them: without objects that it both created and deleted.
struct NetClassChanges {
  /// One property that was set, or that a number was added to.
  struct PropertyChange {
    let key: ObjectKey
    let column: ColumnID
    let isAddition: Bool
  }

  let created: KeyRanges
  /// Deleted by themselves, and not with an owner.
  let deleted: KeyRanges
  /// In order of keys, then columns; of objects that were there before and still are.
  let properties: [PropertyChange]
  private let gone: KeyRanges
  private let defaults: [ColumnID: KeyRanges]
  private let intents: [CreateIntent: KeyRanges]

  /// - Parameter added: By column, objects that a number was added to.
  init(_ buffer: ClassChangeBuffer, added: [ColumnID: KeyRanges]) {
    let made = buffer.inserted.ranges()
    let direct = buffer.deleted.ranges()
    let everythingGone = direct.union(buffer.derivedDeleted.ranges())
    gone = everythingGone
    created = made.subtracting(everythingGone)
    deleted = direct.subtracting(made)
    defaults = buffer.defaultRanges
    intents = buffer.intents.mapValues { $0.ranges() }
    var found: [PropertyChange] = []
    var left = added
    for (column, set) in buffer.assignedRanges {
      set.subtracting(everythingGone).forEach {
        found.append(PropertyChange(key: $0, column: column, isAddition: false))
      }
      // What was set as well has the value that came of both.
      left[column] = left[column]?.subtracting(set)
    }
    for (column, keys) in left {
      keys.subtracting(everythingGone).forEach {
        found.append(PropertyChange(key: $0, column: column, isAddition: true))
      }
    }
    properties = found.sorted { ($0.key, $0.column.rawValue) < ($1.key, $1.column.rawValue) }
  }

  func isGone(_ key: ObjectKey) -> Bool { gone.contains(key) }

  func isDefault(_ column: ColumnID, _ key: ObjectKey) -> Bool { defaults[column]?.contains(key) ?? false }

  func intent(of key: ObjectKey) -> CreateIntent { intents.first { $0.value.contains(key) }?.key ?? .create }
}
