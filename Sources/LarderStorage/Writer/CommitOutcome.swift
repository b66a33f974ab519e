/// The result of a commit.
package struct CommitOutcome: Sendable {
  /// The new version of the store; where nothing changed the one that it has.
  package let version: UInt64
  /// The place of the commit among the changes that observers get; nil for no change.
  package let moment: Moment?
}
