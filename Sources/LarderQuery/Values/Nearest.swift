/// Finds the name that a mistyped one probably meant.
enum Nearest {
  /// The nearest candidate, compared without case, when it is near enough to be worth naming.
  static func name(to given: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(given.lowercased().unicodeScalars.prefix(64))
    let limit = max(1, min(3, wanted.count / 2))
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = EditDistance.between(wanted, letters)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }
}
