import LarderExchange
import LarderInspection
import LarderLocks
import LarderStorage

/// Changes of objects from pages, and their undo. May be called from any thread; one change is made at a time.
package final class StudioEditing: Sendable {
  /// An edit that can be taken back.
  private struct Done: Sendable {
    var undos: [EditUndo]
    /// The links that led to the objects that were deleted.
    var links: [LinkingProperty]
    /// The version that it made.
    var version: UInt64
  }

  private struct State: Sendable {
    var done: [Done] = []
    /// Objects that undos made again; edits before name them by the keys they had.
    var remade = RemadeObjects()
    /// Versions made here since the first of them: they are no foreign changes.
    var own: Set<UInt64> = []

    mutating func remember(_ edit: Done) {
      done.append(edit)
      if done.count > depth { done.removeFirst() }
    }

    mutating func made(_ version: UInt64, after older: UInt64) {
      // A write that changed nothing makes no version.
      if version > older { own.insert(version) }
      let first = done.first?.version ?? version
      own = own.filter { $0 >= first }
    }
  }

  private let studio: StudioStore
  private let state = Lock(State())
  private let turn = Lock<Void>(())

  /// Edits that can be taken back at most.
  private static let depth = 50
  /// Seconds that an edit waits for the writer of another program: less than a request may take.
  private let patience: Double

  package init(_ studio: StudioStore, patience: Double = 8) { (self.studio, self.patience) = (studio, patience) }

  /// Makes the changes of a request in one transaction; with `dry=1` it says what they would be. With `bases=0` a conflict has no values of the
  /// version that the page saw: it has them, and they cost a copy of that version.
  ///
  /// - Throws: `RequestFault` for a store that is read only and a body that is none, what `ObjectEdit` throws.
  func edit(_ request: StudioRequest) throws -> StudioResponse {
    try requireWriting()
    let body = try EditRequest(request.body)
    let isDry = try request.flag("dry") ?? false
    let tellsBases = try request.flag("bases") ?? true
    return try turn.withLock { _ in
      try write(keeps: !isDry) { writer, snapshot in
        let prepared = try prepare(body, snapshot)
        guard prepared.conflicts.isEmpty else {
          return (nil, { _ in Self.conflict(prepared.conflicts, tellsBases ? body.base : nil, snapshot) })
        }
        let texts = try prepared.edits.map { try Self.members($0.edit, $0.deletes, snapshot) }
        for (edit, deletes) in prepared.edits { _ = try deletes ? edit.delete(writer) : edit.write(writer) }
        let done = Done(undos: prepared.undos, links: prepared.links, version: snapshot.version)
        return (done, { Self.answer($0, snapshot, texts) })
      }
    }
  }

  /// Takes the last edit back.
  ///
  /// - Throws: `RequestFault` when there is none, and when what it would overwrite was changed since.
  func undo(_ request: StudioRequest) throws -> StudioResponse {
    try requireWriting()
    return try turn.withLock { _ in
      guard let last = state.withLock({ $0.done.last }) else { throw Self.refusal("There is nothing to undo.") }
      var notices: [String] = []
      let version = try takeBack(last, &notices)
      let value: JSONValue = [
        "version": .init(version), "undone": .init("Undone: " + last.undos.map(\.text).joined(separator: "; ")),
        "notice": notices.isEmpty ? nil : .init(notices.joined(separator: " ")),
      ]
      return .json(value.line)
    }
  }

  private func takeBack(_ last: Done, _ notices: inout [String]) throws -> UInt64 {
    let writer = try beginWrite()
    do {
      // Nothing can be committed until the writer ends: the snapshot is what it began with.
      let snapshot = try studio.store.snapshot()
      let own = state.withLock { $0.own }
      var remade = state.withLock { $0.remade }
      try check(last, remade, ForeignChanges(after: last.version, except: own, in: snapshot), snapshot)
      for undo in last.undos.reversed() {
        let before = remade.now(undo.object)
        let key = try undo.write(remade, writer)
        guard key != before.key else { continue }
        remade.add(before, as: key)
        notices.append(
          "The object is made again: its primary key is the same, its object key is new (#\(key.rawValue)).")
      }
      for link in last.links { try link.write(remade, writer) }
      try Interruption.current?.finish()
      let version = try writer.commit()
      let known = remade
      state.withLock {
        _ = $0.done.popLast()
        $0.remade = $0.done.isEmpty ? RemadeObjects() : known
        $0.made(version, after: snapshot.version)
      }
      return version
    } catch {
      writer.cancel()
      throw Self.undoFault(error)
    }
  }

  /// Refuses an undo that would overwrite what another program wrote.
  private func check(_ last: Done, _ remade: RemadeObjects, _ foreign: ForeignChanges, _ snapshot: Snapshot) throws {
    guard foreign.isKnown else {
      throw Self.refusal("The log does not reach back to the edit any more; it is left as it is.")
    }
    for undo in last.undos {
      let places = try undo.places(remade, in: snapshot)
      let isTouched =
        places.contains { foreign.touches($0.object, $0.column) || foreign.deletes($0.object) }
        || (!places.isEmpty && foreign.deletes(remade.now(undo.object)))
      guard !isTouched else {
        throw Self.refusal("Another program has changed \(undo.text) since; it is left as it is.")
      }
    }
    guard !last.links.contains(where: { foreign.touches(remade.now($0.object), $0.column.id) }) else {
      throw Self.refusal("Another program has changed what led to the deleted object since; it is left as it is.")
    }
  }

  private static func refusal(_ message: String) -> RequestFault {
    RequestFault(message, status: 409, kind: "conflict")
  }

  /// An object that is deleted and a primary key that is taken again are foreign changes, too.
  private static func undoFault(_ error: any Error) -> any Error {
    guard let error = error as? StorageError else {
      return error is RequestFault || error is Interruption.Stopped ? error : refusal("It cannot be undone: \(error).")
    }
    return [.noSuchObject, .duplicatePrimaryKey, .duplicateValue].contains(error.code)
      ? refusal("It cannot be undone: \(error.message)") : error
  }

  // MARK: - Parts

  private func requireWriting() throws {
    guard studio.isWritable else {
      throw RequestFault(
        "The store is read only here: start 'larder studio' with --write.", status: 403, kind: "readOnly")
    }
  }

  /// Begins a transaction; a wait for another's that is too long ends with an error, and nothing is written later.
  ///
  /// - Throws: `RequestFault` with status 423.
  private func beginWrite() throws -> StoreWriter {
    try Interruption.current?.check()
    guard let writer = try studio.store.beginLentWrite(timeout: patience) else {
      throw RequestFault(
        "Another program has been writing to the store for more than \(Int(patience.rounded(.up))) seconds; nothing was written. "
          + "Try again when it is done.", status: 423, kind: "locked")
    }
    return writer
  }

  private struct Prepared {
    var edits: [(edit: ObjectEdit, deletes: Bool)] = []
    var undos: [EditUndo] = []
    var links: [LinkingProperty] = []
    var conflicts: [EditConflict] = []
  }

  /// Looks the objects up, saves what undo needs, and finds conflicts.
  private func prepare(_ body: EditRequest, _ snapshot: Snapshot) throws -> Prepared {
    guard body.base <= snapshot.version else {
      throw RequestFault("The store has no version \(body.base) yet: the newest is \(snapshot.version).")
    }
    let foreign = try ForeignChanges(after: body.base, in: snapshot)
    var prepared = Prepared()
    for change in body.changes {
      guard let edit = try edit(change, snapshot, foreign) else {
        prepared.conflicts += EditConflict.all(of: change)
        continue
      }
      let undo = try EditUndo(of: edit, deletes: change.deletes, in: snapshot)
      prepared.conflicts += try EditConflict.all(of: change, undo, foreign, edit, snapshot)
      prepared.undos.append(undo)
      prepared.edits.append((edit, change.deletes))
      if change.deletes { prepared.links += try LinkingProperty.all(to: undo.object, in: snapshot) }
    }
    return prepared
  }

  /// The edit of a change; nil for an object that is deleted since, which is a conflict.
  private func edit(_ change: EditRequest.Change, _ snapshot: Snapshot, _ foreign: ForeignChanges) throws -> ObjectEdit?
  {
    let entry = try StoreAccess.entry(named: change.className, in: snapshot.schema)
    do {
      return change.edit(.key(try StudioStore.object(entry, change.name, in: snapshot).rawValue))
    } catch let error as StorageError where error.code == .noSuchObject && !foreign.isEmpty {
      return nil
    }
  }

  /// - Parameter base: The version whose values are reported; nil: none are.
  private static func conflict(_ conflicts: [EditConflict], _ base: UInt64?, _ snapshot: Snapshot) -> StudioResponse {
    let error: JSONValue = [
      "kind": .init("conflict"), "message": .init("Another program has changed what is edited; nothing was written."),
    ]
    let before = base.flatMap { BaseVersion($0, of: snapshot) }
    let value: JSONValue = [
      "error": error, "version": .init(snapshot.version), "conflicts": .init(conflicts.map { $0.json(before) }),
    ]
    return .json(value.line, status: 409)
  }

  /// Returns the changes of an edit, as members of the object that the verb writes.
  private static func members(
    _ edit: ObjectEdit, _ deletes: Bool, _ snapshot: Snapshot
  ) throws -> [(name: String, value: JSONValue?)] {
    let steps = try edit.steps(in: snapshot)
    let deletion = deletes ? try edit.deletion(in: snapshot) : nil
    return [
      ("changes", .init(steps.map { JSONValue(written: $0.json) })),
      ("deleted", deletion.map { .init(written: JSONText.object($0.object)) }),
      ("links", deletion.map { .init($0.links) }),
    ]
  }

  /// - Parameter version: Nil when nothing was written.
  private static func answer(
    _ version: UInt64?, _ snapshot: Snapshot, _ texts: [[(name: String, value: JSONValue?)]]
  ) -> StudioResponse {
    let changes = texts.map { JSONValue([("version", .init(version))] + $0) }
    return .json((["version": .init(version ?? snapshot.version), "changes": .init(changes)] as JSONValue).line)
  }

  /// Runs a write transaction from which nothing is kept unless the body gives an edit to be remembered.
  private func write(
    keeps: Bool, _ body: (StoreWriter, Snapshot) throws -> (Done?, (UInt64?) -> StudioResponse)
  ) throws -> StudioResponse {
    let writer = try beginWrite()
    do {
      // Nothing can be committed until the writer ends: the snapshot is what it began with.
      let snapshot = try studio.store.snapshot()
      let (done, answer) = try body(writer, snapshot)
      guard keeps, var done else {
        writer.cancel()
        return answer(nil)
      }
      try Interruption.current?.finish()
      done.version = try writer.commit()
      state.withLock {
        $0.remember(done)
        $0.made(done.version, after: snapshot.version)
      }
      return answer(done.version)
    } catch {
      writer.cancel()
      throw error
    }
  }
}
