/// What merging an operation needs besides the state: when the operation was made, what is void, and what became of it.
struct MergeContext {
  let stamp: Stamp
  /// The newest deletion of the object: content that is not newer is void.
  let floor: Stamp
  let research: ResearchRules
  /// What other devices have to change.
  var deltas: [CellDelta] = []
}
