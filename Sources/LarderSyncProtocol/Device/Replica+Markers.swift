// What became of the device's own operations.
extension Replica {
  /// Makes an operation, which does not wait any more, part of what the server has (MR-2).
  mutating func integrate(_ operation: SyncOperation, _ result: OperationResult) {
    let object = operation.object
    switch operation.edit {
    case .listInsert(let path, let values, let first, _, _) where result == .noop:
      for offset in values.indices { remove(first.later(by: UInt32(offset)), path, object) }
    case .listInsert(let path, let values, let first, let left, _):
      settle(first, UInt32(values.count), result.left(named: left), path, object)
    case .listMove(let path, let element, let position, let left, _):
      settleMove(element, position, result.left(named: left), path, object)
    case .listRemove(let path, let runs):
      for run in runs { for id in run.ids { remove(id, path, object) } }
    default: break
    }
  }

  private mutating func settle(
    _ first: OperationID, _ count: UInt32, _ left: OperationID??, _ path: SyncCollectionPath, _ object: ObjectName
  ) {
    relocate(path, object) { table in
      guard let left else {
        // The list is another one at the server, or it comes whole.
        return false
      }
      table.settle(first, count: count)
      guard table.contains(position: first), table.baseBefore(first) != left else { return false }
      table.move(first, count: count, after: left)
      return true
    }
  }

  private mutating func settleMove(
    _ element: OperationID, _ position: OperationID, _ left: OperationID??, _ path: SyncCollectionPath,
    _ object: ObjectName
  ) {
    relocate(path, object) { table in
      guard table.contains(position: position) else { return false }
      table.removeMove(of: element, to: position)
      if let left {
        table.drop(element, exceptFor: position)
        table.settle(position, count: 1)
        table.show(element)
        guard table.baseBefore(position) != left else { return false }
        table.move(position, count: 1, after: left)
      } else {
        table.drop(position: position)
        table.show(element)
      }
      return true
    }
  }

  /// Changes the order of entries, and moves in the store what is seen elsewhere then. `body` says whether anything may be.
  private mutating func relocate(
    _ path: SyncCollectionPath, _ object: ObjectName, _ body: (inout SideTable) -> Bool
  ) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .list) { list, local in
        let before = list.table.runs
        guard body(&list.table) else { return true }
        var old = before.shownElements
        for (index, element) in list.table.runs.shownElements.enumerated() where old[index] != element {
          guard let from = old[index...].firstIndex(of: element) else { continue }
          old.insert(old.remove(at: from), at: index)
          store.move(from: from, to: index, object, local)
        }
        return true
      }
    }
  }
}

extension [SideTable.Run] {
  var shownElements: [OperationID] {
    flatMap { run in run.isShown ? (0..<run.count).map { run.element.later(by: $0) } : [] }
  }
}

extension OperationResult {
  /// The place that something went after, given the one that its operation named; nil when it went nowhere or its list comes whole.
  func left(named left: OperationID?) -> OperationID?? {
    switch self {
    case .plain: .some(left)
    case .at(let other): .some(other)
    case .lost, .echo, .whole, .noop, .noRow, .refused: nil
    }
  }
}
