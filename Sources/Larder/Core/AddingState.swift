/// How objects are added at the moment: set around a call that adds, and read by everything that this reaches.
struct AddingState {
  /// Policy for objects that are added because something links to them.
  var policy = Realm.UpdatePolicy.error
  /// Whether existing rows are updated only in the properties that were assigned.
  var assignedOnly = false
  /// How deep the adding of linked objects has got.
  var depth = RecursionLimit()
}
