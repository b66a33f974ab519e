import ArgumentParser
import LarderSyncProtocol

/// Claims as the command line has them.
struct Claims {
  /// The values by name.
  private(set) var values: [String: [SyncValue]] = [:]

  init(_ texts: [String]) throws {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError("'\(text)' is no claim: write name=value.")
      }
      values[parts[0], default: []].append(Claims.value(parts[1]))
    }
  }

  private static func value(_ text: String) -> SyncValue {
    if let number = Int64(text) { return .int(number) }
    if let flag = Bool(text) { return .bool(flag) }
    return .string(SyncText(text))
  }
}
