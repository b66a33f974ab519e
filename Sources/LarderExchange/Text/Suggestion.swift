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
      let distance = editDistance(lowered, Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// " Did you mean 'x'?", or nothing when no candidate is near.
  package static func sentence(for name: String, in candidates: some Sequence<String>) -> String {
    nearest(to: name, in: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var current = [i] + Array(repeating: 0, count: b.count)
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        current[j] = min(replaced, last[j] + 1, current[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          current[j] = min(current[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last) = (last, current)
    }
    return last[b.count]
  }
}
