import LarderSyncProtocol

/// Operations that the server did not accept, until the objects are as the server has them (Y-28).
struct RefusedOperations: Sendable {
  private struct Entry: Sendable {
    let siteVersion: UInt64
    let object: RejectedObject
  }

  private var entries: [Entry] = []

  /// Notes an operation with what the device keeps of it.
  mutating func add(_ refused: RefusedOperation, _ device: Device<StoreReplica>) {
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
    entries.append(
      Entry(
        siteVersion: refused.siteVersion,
        object: RejectedObject(
          object: refused.object, reason: refused.reason, message: refused.message.string, values: values.properties)))
  }

  /// The objects that are put right, one entry each: those of commits that do not wait any more.
  mutating func takeSettled(_ device: Device<StoreReplica>) -> [RejectedObject] {
    var result: [RejectedObject] = []
    var rest: [Entry] = []
    for entry in entries {
      if device.isWaiting(entry.siteVersion) {
        rest.append(entry)
      } else if let index = result.firstIndex(where: { $0.object == entry.object.object }) {
        let known = Set(entry.object.values.map(\.name))
        result[index].values = result[index].values.filter { !known.contains($0.name) } + entry.object.values
      } else {
        result.append(entry.object)
      }
    }
    entries = rest
    return result
  }
}
