/// A range of keys: from one, and up to another without it. Nil means no bound.
struct KeyGap {
  var lower: TreeKey?
  var upper: TreeKey?

  /// Every key.
  static let everything = KeyGap()

  func contains(_ key: TreeKey, isNumber: Bool = false) -> Bool {
    if let lower, key.precedes(lower, isNumber: isNumber) { return false }
    if let upper, !key.precedes(upper, isNumber: isNumber) { return false }
    return true
  }
}

extension TreePage {
  /// For each entry, whether its key can be read, is in a range, and rises above those before it: of two that contradict each other the
  /// one that the next speaks against is wrong. The first key of a branch page is not used.
  func keysInOrder(within gap: KeyGap, areNumbers: Bool) -> [Bool] {
    let keys = (0..<count).map { !isLeaf && $0 == 0 ? nil : readableKey($0) }
    var last: TreeKey?
    func isPossible(_ key: TreeKey) -> Bool {
      gap.contains(key, isNumber: areNumbers) && last?.precedes(key, isNumber: areNumbers) ?? true
    }
    return keys.indices.map { index in
      guard let key = keys[index], isPossible(key) else { return false }
      if index + 1 < keys.count, let next = keys[index + 1], isPossible(next),
        !key.precedes(next, isNumber: areNumbers)
      {
        return false
      }
      last = key
      return true
    }
  }

  /// The keys that belong below an entry of a branch page, of which only those in order count.
  func range(of index: Int, within gap: KeyGap, _ inOrder: [Bool]) -> KeyGap {
    let lower = (1..<count).last { $0 <= index && inOrder[$0] }
    let upper = (1..<count).first { $0 > index && inOrder[$0] }
    return KeyGap(
      lower: lower.flatMap { readableKey($0) } ?? gap.lower, upper: upper.flatMap { readableKey($0) } ?? gap.upper)
  }

  /// The keys that belong below an entry of a branch page that is believed.
  func range(of index: Int, within gap: KeyGap) -> KeyGap {
    KeyGap(
      lower: (index > 0 ? readableKey(index) : nil) ?? gap.lower,
      upper: (index + 1 < count ? readableKey(index + 1) : nil) ?? gap.upper)
  }
}
