import LarderStorage
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves a test or suite out of runs under a hostile setting (`.ci/hostile`).
  ///
  /// - Parameters:
  ///   - setting: The setting that takes away what the test looks at.
  ///   - reason: What that is.
  package static func notUnder(_ setting: HostileSettings, _ reason: Comment) -> Self {
    .disabled(if: !HostileSettings.current.isDisjoint(with: setting), reason)
  }
}
