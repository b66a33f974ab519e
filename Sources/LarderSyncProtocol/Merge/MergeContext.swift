/// The data that merging an operation needs besides the state: its stamp, the deletion up to which content is void, and the changes that it makes.
struct MergeContext {
  let stamp: Stamp
  /// The newest deletion of the object: content that is not newer is void.
  let floor: Stamp
  let research: ResearchRules
  /// The changes that other devices have to make.
  var deltas: [CellDelta] = []
}
