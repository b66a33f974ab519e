import ArgumentParser

/// A time as people write it: `90s`, `15m`, `1h`, `30d`.
struct Lifetime: ExpressibleByArgument {
  /// The time in seconds.
  let seconds: Int64
  /// The text as it was written.
  let text: String

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let last = argument.last, let unit = units[last], let count = Int64(argument.dropLast()), count > 0 else {
      return nil
    }
    let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
    // No token needs a hundred years.
    guard !overflows, seconds <= 36_500 * 86_400 else { return nil }
    self.seconds = seconds
    text = argument
  }
}
