import LarderExchange
import LarderInspection
import LarderStorage

/// A change that another program was first with.
struct EditConflict {
  private let change: EditRequest.Change
  /// Nil for the whole object.
  private let property: String?
  private let mine: String?
  /// The other program's value as JSON; nil where the object is deleted.
  private let theirs: String?
  private let place: EditUndo.Place?

  /// Those of a change of an object that is deleted since.
  static func all(of change: EditRequest.Change) -> [EditConflict] {
    guard !change.deletes else {
      return [EditConflict(change: change, property: nil, mine: nil, theirs: nil, place: nil)]
    }
    return change.assignments.map {
      EditConflict(change: change, property: $0.path, mine: $0.text, theirs: nil, place: nil)
    }
  }

  /// Those of a change of an object that is there: values that both set, or an object to be deleted that was changed.
  static func all(
    of change: EditRequest.Change, _ undo: EditUndo, _ foreign: ForeignChanges, _ edit: ObjectEdit, _ snapshot: Snapshot
  ) throws -> [EditConflict] {
    guard !foreign.isEmpty else { return [] }
    guard !change.deletes else {
      guard try foreign.touchesAny(of: undo.object, in: snapshot) else { return [] }
      let theirs = JSONText.object(try edit.deletion(in: snapshot).object)
      return [EditConflict(change: change, property: nil, mine: nil, theirs: theirs, place: nil)]
    }
    return zip(undo.places, zip(change.assignments, try edit.steps(in: snapshot))).compactMap { place, pair in
      guard foreign.touches(place.object, place.column) else { return nil }
      return EditConflict(
        change: change, property: place.path, mine: pair.0.text, theirs: pair.1.old, place: place)
    }
  }

  func json(_ before: BaseVersion?) -> JSONValue {
    let base = place.flatMap { before?.value($0.object, $0.column) }
    return [
      "class": .init(change.className), "key": .init(change.name), "property": .init(property), "mine": .init(mine),
      "theirs": .init(written: theirs ?? "null"), "base": .init(written: base ?? "null"),
    ]
  }
}
