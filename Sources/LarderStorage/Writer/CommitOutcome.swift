/// What a commit made.
package struct CommitOutcome: Sendable {
  /// The new version of the store; where nothing changed the one that it has.
  package let version: UInt64
  /// Where it is among the changes that observers get; nil for no change.
  package let moment: Moment?
}
