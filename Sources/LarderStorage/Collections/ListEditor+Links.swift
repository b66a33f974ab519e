/// Finding the elements of a list that link to some objects.
extension ListEditor {
  /// Positions, ascending, of the elements that are or hold a link to one of the objects: of `limit` at most, the last ones.
  ///
  /// The first searches look at the elements from the end on. When they have looked at as many as there are, filters are made, with
  /// which a search costs O(log n) chunks for each object. Searches for very many objects at once always look at every element.
  ///
  /// - Parameter cost: What it costs to find one object's links with filters, as a number of elements to look at.
  func positions(of targets: LinkTargets, limit: Int = .max, cost: Int = 256) throws -> [Int] {
    var result: [Int] = []
    guard limit > 0, count > 0 else { return result }
    let search = self.search ?? LinkSearch()
    self.search = search
    let isFiltered = root.level > 0 && search.steps > count && cost * targets.words.count < count
    try gather(root, 0, targets, search, isFiltered: isFiltered, limit, &result)
    return result.reversed()
  }

  private func gather(
    _ node: ListNode, _ start: Int, _ targets: LinkTargets, _ search: LinkSearch, isFiltered: Bool, _ limit: Int,
    _ result: inout [Int]
  ) throws {
    if let buffer = node.buffer {
      for slot in (0..<buffer.count).reversed() where result.count < limit {
        search.steps += 1
        if targets.isIn(buffer, slot) { result.append(start + slot) }
      }
      return
    }
    var end = start + node.count
    for index in node.children.indices.reversed() where result.count < limit {
      end -= node.children[index].count
      if isFiltered, try !mayHold(targets, node, index, search) { continue }
      try gather(load(node, index), end, targets, search, isFiltered: isFiltered, limit, &result)
    }
  }

  private func mayHold(_ targets: LinkTargets, _ node: ListNode, _ index: Int, _ search: LinkSearch) throws -> Bool {
    search.steps += targets.words.count
    let chunk = node.children[index].chunk
    if let filter = search.filter(chunk) { return targets.words.contains { filter.mayHold($0) } }
    let child = try load(node, index)
    var filter = LinkFilter(count: child.count)
    try addWords(of: child, to: &filter)
    search.steps += child.count
    search.keep(filter, chunk)
    return targets.words.contains { filter.mayHold($0) }
  }

  private func addWords(of node: ListNode, to filter: inout LinkFilter) throws {
    for index in node.children.indices { try addWords(of: load(node, index), to: &filter) }
    guard let buffer = node.buffer else { return }
    for slot in 0..<buffer.count { LinkTargets.forEachWord(buffer, slot) { filter.add($0) } }
  }

  /// To be called when elements come into a chunk or below it.
  func noteLinks(of values: ArraySlice<StoredValue>, into node: ListNode) {
    guard let search, !search.isEmpty else { return }
    for value in values { LinkTargets.forEachWord(value) { search.add($0, to: node.chunk) } }
  }

  /// To be called when an element is replaced.
  func noteLinks(of value: StoredValue, at position: Int) throws {
    guard let search, !search.isEmpty else { return }
    var (node, start) = (root, 0)
    while node.level > 0 {
      let child = node.child(holding: position - start)
      start += child.start
      node = try load(node, child.index)
      noteLinks(of: [value], into: node)
    }
  }
}
