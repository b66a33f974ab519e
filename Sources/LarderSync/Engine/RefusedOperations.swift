import LarderSyncProtocol

/// Operations that the server did not accept, until the objects are as the server has them and the program was notified (Y-28).
struct RefusedOperations: Sendable {
  private struct Batch: Sendable {
    let number: UInt64
    let entries: [RefusedEntry]
  }

  private var batches: [Batch] = []
  /// The batches of each notification that has not arrived, in order.
  private var notified: [[UInt64]] = []

  /// Takes a batch that the store keeps.
  mutating func add(_ entries: [RefusedEntry], _ number: UInt64) {
    if !entries.isEmpty { batches.append(Batch(number: number, entries: entries)) }
  }

  /// Those of operations that the server names that are not known, with what the device keeps of them.
  func new(_ operations: [RefusedOperation], _ device: Device<StoreReplica>) -> [RefusedEntry] {
    operations.filter { !isKnown($0) }.map { RefusedEntry(operation: $0, values: Self.values($0, device)) }
  }

  /// Those that a marker says of a commit that waits, and of which the server's words did not arrive.
  func new(_ marker: OwnMarker, _ device: Device<StoreReplica>) -> [RefusedEntry] {
    guard device.isWaiting(marker.siteVersion), let commit = device.commit(marker.siteVersion) else { return [] }
    let refused = zip(commit.operations.indices, marker.results).compactMap { index, result -> RefusedOperation? in
      guard case .refused(let reason) = result else { return nil }
      return RefusedOperation(
        siteVersion: marker.siteVersion, operation: UInt32(index), object: commit.operations[index].object,
        reason: reason, message: SyncText(reason.explanation))
    }
    return new(refused, device)
  }

  private func isKnown(_ operation: RefusedOperation) -> Bool {
    batches.contains { batch in
      batch.entries.contains {
        $0.operation.siteVersion == operation.siteVersion && $0.operation.operation == operation.operation
      }
    }
  }

  private static func values(_ refused: RefusedOperation, _ device: Device<StoreReplica>) -> [SyncProperty] {
    var values = RefusedValues()
    let operations = device.commit(refused.siteVersion)?.operations ?? []
    if operations.indices.contains(Int(refused.operation)) {
      let edit = operations[Int(refused.operation)].edit
      values.add(edit)
      if case .create = edit {
        // They have nothing to change now.
        for later in operations[(Int(refused.operation) + 1)...] where later.object == refused.object {
          values.add(later.edit)
        }
        for later in device.waitingOperations(on: refused.object) { values.add(later) }
      }
    }
    return values.properties
  }

  /// The objects that are put right, one entry each: those of commits that do not wait any more. The program is notified of them now.
  mutating func takeSettled(_ device: Device<StoreReplica>) -> [RejectedObject] {
    var result: [RejectedObject] = []
    var numbers: [UInt64] = []
    var rest: [Batch] = []
    for batch in batches {
      if batch.entries.contains(where: { device.isWaiting($0.operation.siteVersion) }) {
        rest.append(batch)
        continue
      }
      numbers.append(batch.number)
      for entry in batch.entries { Self.add(entry.object, to: &result) }
    }
    batches = rest
    if !numbers.isEmpty { notified.append(numbers) }
    return result
  }

  private static func add(_ object: RejectedObject, to result: inout [RejectedObject]) {
    guard let index = result.firstIndex(where: { $0.object == object.object }) else { return result.append(object) }
    let known = Set(object.values.map(\.name))
    result[index].values = result[index].values.filter { !known.contains($0.name) } + object.values
  }

  /// The batches of the oldest notification, which has arrived.
  mutating func takeNotified() -> [UInt64] { notified.isEmpty ? [] : notified.removeFirst() }
}

extension RefusedEntry {
  /// For the program.
  fileprivate var object: RejectedObject {
    RejectedObject(
      object: operation.object, reason: operation.reason, message: operation.message.string, values: values)
  }
}
