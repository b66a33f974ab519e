import LarderStorage

/// The cores of all changes and of the algebra: they check everything first, and throw what is wrong.
extension MutableSet {
  private func writable() throws -> CollectionLocation? {
    try location?.verifyWritable()
    return location
  }

  func hasElement(_ element: Element) throws -> Bool {
    guard let location else { return unmanaged.contains(element) }
    let reading = try reading(location)
    guard let wanted = try location.search(element) else { return false }
    return try reading.position(of: wanted) != nil
  }

  func insertElements(_ elements: some Sequence<Element>) throws {
    // A copy, because the sequence may read this very set.
    guard let place = try writable() else { return unmanaged.insert(Array(elements)) }
    try place.insertIntoSet(place.stored(elements))
  }

  func removeElement(_ element: Element) throws {
    guard let place = try writable() else { return unmanaged.remove(element) }
    if let value = try place.search(element) { try place.removeFromSet([value]) }
  }

  func removeAllElements() throws {
    guard let place = try writable() else {
      unmanaged = UnmanagedSet()
      return
    }
    try place.clearSet()
  }

  /// Replaces the contents; adds to them under `.modified` (O-45).
  func setContents(_ elements: [Element], policy: Realm.UpdatePolicy) throws {
    guard let place = try writable() else {
      unmanaged = UnmanagedSet(elements)
      return
    }
    let values = try place.stored(elements)
    if policy == .modified { try place.insertIntoSet(values) } else { try place.assignSet(values) }
  }

  // MARK: - Algebra

  /// Returns the contents of both sets, when both are stored in one Realm; nil when both are unmanaged.
  private func operands(_ other: MutableSet<Element>) throws -> (mine: [StoredValue], theirs: [StoredValue])? {
    switch (location, other.location) {
    case (nil, nil): return nil
    case (let mine?, let theirs?) where mine.host === theirs.host:
      try mine.verify()
      try theirs.verify()
      return (try mine.values(), try theirs.values())
    default:
      throw Realm.Error.invalid(
        "Both sets must be managed by one Realm, or both unmanaged; insert(objectsIn:) takes any sequence.",
        className: location?.cursor.model.name, propertyName: location?.property.name)
    }
  }

  func isContained(in other: MutableSet<Element>) throws -> Bool {
    guard let (mine, theirs) = try operands(other) else {
      return unmanaged.isSubset(of: other.unmanaged)
    }
    return Self.split(mine, theirs).rest.isEmpty
  }

  func overlaps(_ other: MutableSet<Element>) throws -> Bool {
    guard let (mine, theirs) = try operands(other) else {
      return !unmanaged.isDisjoint(with: other.unmanaged)
    }
    return !Self.split(mine, theirs).both.isEmpty
  }

  func unite(with other: MutableSet<Element>) throws {
    guard let (_, theirs) = try operands(other) else { return unmanaged.formUnion(other.unmanaged) }
    try writable()?.insertIntoSet(theirs)
  }

  func intersect(with other: MutableSet<Element>) throws {
    guard let (mine, theirs) = try operands(other) else {
      return unmanaged.keep(in: other.unmanaged, true)
    }
    try remove(Self.split(mine, theirs).rest)
  }

  func subtractElements(of other: MutableSet<Element>) throws {
    guard let (mine, theirs) = try operands(other) else {
      return unmanaged.keep(in: other.unmanaged, false)
    }
    try remove(Self.split(mine, theirs).both)
  }

  func differ(from other: MutableSet<Element>) throws {
    guard let (mine, theirs) = try operands(other) else {
      let (mine, theirs) = (unmanaged, other.unmanaged)
      var added = theirs
      added.keep(in: mine, false)
      unmanaged.keep(in: theirs, false)
      return unmanaged.formUnion(added)
    }
    try remove(Self.split(mine, theirs).both)
    try writable()?.insertIntoSet(Self.split(theirs, mine).rest)
  }

  private func remove(_ values: [StoredValue]) throws { try writable()?.removeFromSet(values) }

  /// The elements of a sorted list that are in another sorted list, and those that are not. O(n + m).
  private static func split(
    _ mine: [StoredValue], _ theirs: [StoredValue]
  ) -> (both: [StoredValue], rest: [StoredValue]) {
    var (both, rest): ([StoredValue], [StoredValue]) = ([], [])
    var next = 0
    for value in mine {
      while next < theirs.count, StoredOrder.compare(theirs[next], value) < 0 { next += 1 }
      if next < theirs.count, StoredOrder.compare(theirs[next], value) == 0 {
        both.append(value)
      } else {
        rest.append(value)
      }
    }
    return (both, rest)
  }
}
