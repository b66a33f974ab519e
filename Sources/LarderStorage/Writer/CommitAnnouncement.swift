/// The report of a commit to observers.
struct CommitAnnouncement {
  /// The moment that the commit made; nil before it, and where there is nothing to report.
  var moment: Moment?
  /// True if the commit changed few objects.
  var isSmall = false
  /// True if assignments of the values that were there are reported (N-14).
  var keepsEqualAssignments = true

  /// A commit of so many objects at most is small.
  static let smallChange = 64
}
