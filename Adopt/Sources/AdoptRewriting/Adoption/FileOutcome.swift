/// The outcome of one file.
package struct FileOutcome: Sendable {
  package enum State: Sendable, Equatable {
    case unchanged
    case changed
    /// It is no Swift that can be parsed, and was left as it is.
    case faulty
  }

  package let path: String
  package let state: State
  package let before: SourceText
  package let after: SourceText
  package let edits: EditList
  package let findings: [Finding]
}
