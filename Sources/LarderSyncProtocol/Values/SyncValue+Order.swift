extension SyncValue: Comparable {
  /// The order of the elements of a set: by kind, then integers by number, floating-point numbers by their bits without a sign, dates by time,
  /// and all others by their bytes. It is total for what a set may hold; containers of one kind are ordered by their incarnations.
  public static func < (left: SyncValue, right: SyncValue) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.float(let left), .float(let right)): left.canonicalBits < right.canonicalBits
    case (.double(let left), .double(let right)): left.canonicalBits < right.canonicalBits
    case (.decimal(let left), .decimal(let right)): (left.high, left.low) < (right.high, right.low)
    case (.string(let left), .string(let right)): left < right
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    case (.date(let left), .date(let right)): left < right
    case (.objectID(let left), .objectID(let right)): left < right
    case (.uuid(let left), .uuid(let right)): left < right
    case (.link(let left), .link(let right)): left < right
    default: before(left, right)
    }
  }

  private static func before(_ left: SyncValue, _ right: SyncValue) -> Bool {
    guard left.rank == right.rank, let first = left.incarnation, let second = right.incarnation else {
      return left.rank < right.rank
    }
    return first < second
  }
}

extension Array {
  /// The elements in ascending order of what identifies them; of several with one identity the last one.
  func sortedAndUnique<Identity: Comparable>(by identity: (Element) -> Identity) -> [Element] {
    guard count > 1 else { return self }
    let isAscending = (1..<count).allSatisfy { identity(self[$0 - 1]) < identity(self[$0]) }
    if isAscending { return self }
    // The standard library's sort keeps the order of equal elements.
    let ordered = sorted { identity($0) < identity($1) }
    return ordered.indices.compactMap { index in
      let isLast = index + 1 == ordered.count || identity(ordered[index]) < identity(ordered[index + 1])
      return isLast ? ordered[index] : nil
    }
  }
}
