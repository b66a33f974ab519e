/// An edit of a collection of a synced object with the values that it brought, as the write transaction knows them.
struct RecordedEdit {
  enum Action {
    case list(ListEdit.Action)
    case set(SetEdit.Action)
    case map(MapEdit.Action)
  }

  let column: ColumnID
  let key: ObjectKey
  /// To a list or dictionary within a mixed value.
  let path: [MixedStep]
  var action: Action
  let sizeBefore: Int
  /// Of an insertion or replacement in a list, and of a put.
  var values: [StoredValue]
}

/// Keeps what the operations of a commit need besides the commit's record: edits of collections with values, in order, and what was
/// added to numbers. All other values are read when the transaction is committed.
///
/// Exists only while the store has synced classes.
final class OperationRecorder {
  /// The operations that were recorded in one class.
  struct ClassOperations {
    var edits: [RecordedEdit] = []
    var additions: [(column: ColumnID, key: ObjectKey, delta: StoredValue)] = []
    /// To objects that the transaction created.
    var newObjectAdditions: [NewObjectAddition] = []
    var isEverything = false
    /// Edits before this one belong to a mark and do not change.
    fileprivate var sealed = 0
  }

  /// By class number: whether changes are recorded.
  var synced: [Bool]
  /// The time of the commit, once its operations are written: its record has the same.
  var time: HybridTime?
  private(set) var classes: [ClassID: ClassOperations] = [:]

  init(synced: [Bool]) { self.synced = synced }

  func isSynced(_ classID: ClassID) -> Bool {
    Int(classID.rawValue) < synced.count && synced[Int(classID.rawValue)]
  }

  /// An edit that is not derived from another change; `values` as `RecordedEdit` says.
  func edited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, path: [MixedStep] = [], _ action: RecordedEdit.Action,
    sizeBefore: Int, values: [StoredValue] = []
  ) {
    guard isSynced(classID) else { return }
    // A migration edits lists wholesale.
    if case .list(let edit) = action, edit.newValues != values.count { return everything(classID) }
    let edit = RecordedEdit(
      column: column, key: key, path: path, action: action, sizeBefore: sizeBefore, values: values)
    if classes[classID]?.append(to: edit) ?? false { return }
    classes[classID, default: ClassOperations()].edits.append(edit)
  }

  /// A number was added to a property.
  func added(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ delta: StoredValue) {
    if isSynced(classID) { classes[classID, default: ClassOperations()].additions.append((column, key, delta)) }
  }

  /// A number was added to a property of an object that the transaction created.
  func addedToNew(_ classID: ClassID, _ addition: NewObjectAddition) {
    if isSynced(classID) { classes[classID, default: ClassOperations()].newObjectAdditions.append(addition) }
  }

  /// By column, the objects of a class that numbers were added to and that were there before.
  func added(in classID: ClassID) -> [ColumnID: KeyRanges] {
    guard let additions = classes[classID]?.additions, !additions.isEmpty else { return [:] }
    return Dictionary(grouping: additions, by: \.column).mapValues { KeyRanges(Set($0.map(\.key)).sorted()) }
  }

  /// Changes in the class are not listed one by one.
  func everything(_ classID: ClassID) {
    if isSynced(classID) { classes[classID, default: ClassOperations()].isEverything = true }
  }

  // MARK: - Coming back

  struct Mark {
    fileprivate let classes: [ClassID: (edits: Int, additions: Int, newObjects: Int, isEverything: Bool)]
  }

  func mark() -> Mark {
    for id in classes.keys { classes[id]?.seal() }
    return Mark(
      classes: classes.mapValues {
        ($0.edits.count, $0.additions.count, $0.newObjectAdditions.count, $0.isEverything)
      })
  }

  func restore(_ mark: Mark) {
    for id in classes.keys {
      guard let known = mark.classes[id] else {
        classes[id] = nil
        continue
      }
      classes[id]?.edits.removeSubrange(known.edits...)
      classes[id]?.additions.removeSubrange(known.additions...)
      classes[id]?.newObjectAdditions.removeSubrange(known.newObjects...)
      classes[id]?.isEverything = known.isEverything
      classes[id]?.seal()
    }
  }
}

extension OperationRecorder.ClassOperations {
  fileprivate mutating func seal() { sealed = edits.count }

  /// Lets the last edit say what one right after it does; false when it cannot: elements that are inserted one after the other.
  fileprivate mutating func append(to next: RecordedEdit) -> Bool {
    guard let place = edits.indices.last, place >= sealed, edits[place].key == next.key,
      edits[place].column == next.column, edits[place].path == next.path,
      case .list(.insert(let at, let count)) = edits[place].action,
      case .list(.insert(let nextAt, let nextCount)) = next.action, nextAt == at + count,
      next.sizeBefore == edits[place].sizeBefore + count
    else { return false }
    edits[place].action = .list(.insert(at: at, count: count + nextCount))
    edits[place].values += next.values
    return true
  }
}

extension ListEdit.Action {
  /// Elements that the list did not hold before.
  fileprivate var newValues: Int {
    switch self {
    case .insert(_, let count), .set(_, let count): count
    case .remove, .move, .clear: 0
    }
  }
}

extension OperationRecorder {
  /// An edit within a mixed value.
  ///
  /// - Parameter collection: As it is after the edit; the values that came are read from it.
  func edited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ edit: NestedEdit, in collection: StoredValue?
  ) {
    switch edit.change {
    case .list(let change):
      var values: [StoredValue] = []
      if case .list(let elements) = collection {
        switch change.action {
        case .insert(let at, let count), .set(let at, let count):
          values = elements.count >= at + count ? Array(elements[at..<at + count]) : []
        case .remove, .move, .clear: break
        }
      }
      edited(
        classID, column, key, path: edit.path, .list(change.action), sizeBefore: change.sizeBefore, values: values)
    case .dictionary(let change):
      var values: [StoredValue] = []
      if case .put(let name, _, _) = change.action, let value = collection?.child(.key(name)) { values = [value] }
      edited(classID, column, key, path: edit.path, .map(change.action), sizeBefore: change.sizeBefore, values: values)
    }
  }
}
