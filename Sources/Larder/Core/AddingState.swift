/// The manner in which objects are added at the moment: set around a call that adds, and read by everything that this reaches.
struct AddingState {
  /// The options of a call that adds.
  struct Mode: Equatable {
    /// Policy for objects that are added because something links to them.
    var policy = Realm.UpdatePolicy.error
    /// True if existing rows are updated only in the properties that were assigned.
    var assignedOnly = false
  }

  fileprivate(set) var mode = Mode()
  /// The depth that the adding of linked objects has reached.
  var depth = RecursionLimit()

  var policy: Realm.UpdatePolicy { mode.policy }
  var assignedOnly: Bool { mode.assignedOnly }
}

extension ObjectHost {
  /// Adds objects under a policy: the one bracket that sets it.
  @inline(__always)
  final func adding<Result>(
    under policy: Realm.UpdatePolicy, assignedOnly: Bool = false, _ body: () throws -> Result
  ) rethrows -> Result {
    let mode = AddingState.Mode(policy: policy, assignedOnly: assignedOnly)
    let outer = adding.mode
    if mode == outer { return try body() }
    adding.mode = mode
    defer { adding.mode = outer }
    return try body()
  }
}
