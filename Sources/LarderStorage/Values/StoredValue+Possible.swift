extension StoredValue {
  /// True if a store may hold it: damaged ones can say things that no writer has written. Looks into collections.
  package var isPossible: Bool {
    switch self {
    case .date(let date): date.nanoseconds < 1_000_000_000
    case .list(let list): list.allSatisfy(\.isPossible)
    case .dictionary(let entries): entries.allSatisfy(\.value.isPossible)
    default: true
    }
  }
}
