/// The progress of an import of a `.realm` file.
package struct RealmImportProgress: Hashable, Sendable {
  /// The current step.
  package enum Step: String, Hashable, Sendable {
    case makingObjects = "making objects"
    case linkingObjects = "linking objects"
    case checking = "checking"
  }

  package var step: Step
  /// The class that is at hand; empty while the whole store is looked at.
  package var className: String
  /// Objects that were dealt with, in both passes, and how many these are in all.
  package var done: Int
  package var total: Int
}
