/// An amount that is added to a number: it keeps its effect beside what other devices add meanwhile.
public enum SyncDelta: Hashable, Sendable {
  /// To an integer; sums wrap around at 64 bits.
  case int(Int64)
  /// To a decimal number; sums are rounded to 34 digits.
  case decimal(SyncDecimal)
}

extension SyncValue {
  /// The value with what is added to it, no value counting as zero; nil when it is no number of the delta's type.
  func adding(_ delta: SyncDelta) -> SyncValue? {
    switch (self, delta) {
    case (.null, .int(let delta)): .int(delta)
    case (.null, .decimal(let delta)): .decimal(delta)
    case (.int(let number), .int(let delta)): .int(number &+ delta)
    case (.decimal(let number), .decimal(let delta)): .decimal(number + delta)
    default: nil
    }
  }
}

extension SyncDelta {
  /// Returns the sum of both; nil for two types of numbers.
  func adding(_ other: SyncDelta) -> SyncDelta? {
    switch (self, other) {
    case (.int(let delta), .int(let other)): .int(delta &+ other)
    case (.decimal(let delta), .decimal(let other)): .decimal(delta + other)
    default: nil
    }
  }

  var isInt: Bool { if case .int = self { true } else { false } }
}
