import LarderQuery

/// Finds the name a person most likely meant.
package enum Suggestion {
  /// The candidate nearest to a mistyped name, or nil when none is near enough to be meant.
  ///
  /// - Complexity: O(candidates × length²).
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 2)
    let lowered = Array(name.lowercased())
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = EditDistance.between(lowered, Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// " Did you mean 'x'?", or nothing when no candidate is near.
  package static func sentence(for name: String, in candidates: some Sequence<String>) -> String {
    nearest(to: name, in: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }
}
