@testable import LarderSyncProtocol

/// The view of a device: objects whose `q` it has subscribed to and may read. An object without `q` counts as 0.
struct HistoryView: Hashable {
  var tag: ViewTag
  var subscribed: Set<Int64>
  var readable: Set<Int64>

  func contains(_ q: Int64?) -> Bool { q.map { subscribed.contains($0) && readable.contains($0) } ?? false }
}

/// Objects with `q` 3 may not be written, nor become such. Objects with `x` 9 may not be deleted.
struct HistoryRules: WriteRules {
  static let locked: Int64 = 3
  static let kept: Int64 = 9

  /// `q` of an object that is there.
  func summary(of state: ObjectState, _ object: ObjectName) -> Int64? { Self.q(state) }

  static func q(_ state: ObjectState) -> Int64? {
    guard state.isAlive else { return nil }
    if case .int(let q) = state.value(of: "q") { return q }
    return 0
  }

  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? {
    if Self.q(state) == Self.locked { return .objectBefore }
    if operation.edit == .delete, state.isAlive, state.value(of: "x") == .int(Self.kept) { return .delete }
    return nil
  }

  func looksAfter(_ operation: SyncOperation) -> Bool {
    switch operation.edit {
    case .create: true
    case .set(let path, _): path.property == "q"
    default: false
    }
  }

  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    Self.q(state) == Self.locked ? .objectAfter : nil
  }
}
