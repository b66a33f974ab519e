/// A leaf page that no tree leads to any more, and the table that it is of.
struct StrayPage {
  let number: UInt64
  let table: String
  let count: Int
  fileprivate let first: TreeKey
  fileprivate let last: TreeKey
  /// The ranges in which its entries do not count, because other pages have theirs.
  fileprivate var covered: KeyCover?
}

extension StrayPage {
  /// The page without the entries that are where others have theirs.
  fileprivate init(_ page: StrayPage, outside covered: KeyCover) {
    self = page
    self.covered = covered
  }
}

/// Leaf pages that are read without a tree that leads to them, once the trees have been walked.
extension PageWalker {
  /// Values of a page that are looked at for a proof.
  private static let probes = 8

  /// The pages in use by nothing that surely belong to one of the tables, none with keys of another.
  mutating func strays(of tables: [String], _ isProven: PageRepair.Proof) throws -> [StrayPage] {
    guard !tables.isEmpty else { return [] }
    var found: [String: [StrayPage]] = [:]
    try forEachLeaf(skipsUsed: true) { page in
      let inOrder = page.keysInOrder(within: .everything, areNumbers: false)
      let sound = (0..<page.count).filter { inOrder[$0] }
      guard let first = sound.first.flatMap({ page.readableKey($0) }),
        let last = sound.last.flatMap({ page.readableKey($0) })
      else { return }
      let probes = readableEntries(of: page, limit: Self.probes)
      for table in tables {
        let fits = gaps[table]?.contains { $0.contains(first) && $0.contains(last) } ?? false
        guard fits,
          probes.contains(where: { key, value in
            key.withView { key in value.withView { isProven(table, key, $0) } }
          })
        else { continue }
        found[table, default: []].append(
          StrayPage(number: page.number, table: table, count: sound.count, first: first, last: last))
        return
      }
    }
    var result: [StrayPage] = []
    for pages in found.values { result += try apart(pages) }
    return result
  }

  /// The pages of a table in the order in which they are read: first those that fit together and have the most entries, then the others.
  ///
  /// Pages of one version have no keys in common; one that has is of another. Old pages from when a table was small reach over those of
  /// later versions, and must not be in their way.
  private mutating func apart(_ pages: [StrayPage]) throws -> [StrayPage] {
    let sorted = pages.sorted { $0.last.precedes($1.last, isNumber: false) }
    let chosen = Self.fitting(sorted)
    var covered: KeyCover = KeyCover(chosen.map { ($0.first, $0.last) })
    let numbers = Set(chosen.map(\.number))
    var result = chosen
    for page in sorted.filter({ !numbers.contains($0.number) }).sorted(by: { $0.count > $1.count }) {
      try meet(
        pageFault(
          page.number,
          "nothing leads to it, and it has keys where other such pages have theirs; which is newer cannot be known"
        ))
      result.append(StrayPage(page, outside: covered))
      covered.add(page.first, page.last)
    }
    if let table = pages.first?.table { self.covered[table] = covered }
    return result
  }

  /// Of pages in order of their last keys those without keys in common that have the most entries together.
  private static func fitting(_ pages: [StrayPage]) -> [StrayPage] {
    // best[n]: the most entries of the first n pages; before[n]: how many of them end before page n begins.
    var best = [0]
    var before: [Int] = []
    for (index, page) in pages.enumerated() {
      var (low, high) = (0, index)
      while low < high {
        let middle = (low + high) / 2
        if pages[middle].last.precedes(page.first, isNumber: false) { low = middle + 1 } else { high = middle }
      }
      before.append(low)
      best.append(max(best[index], best[low] + page.count))
    }
    var result: [StrayPage] = []
    var rest = pages.count
    while rest > 0 {
      if best[rest] == best[rest - 1] {
        rest -= 1
      } else {
        result.append(pages[rest - 1])
        rest = before[rest - 1]
      }
    }
    return result.reversed()
  }

  /// Calls `take` with the entries of a page.
  mutating func read(_ stray: StrayPage, _ take: (TreeKey, [UInt8]) throws -> Void) throws {
    do { try claim(stray.number) } catch { return try meet(error) }
    let page = try TreePage(try file.pages(stray.number, size: meta.pageSize), number: stray.number)
    let inOrder = page.keysInOrder(within: .everything, areNumbers: false)
    for index in 0..<page.count where inOrder[index] {
      do {
        let entry = try page.leaf(index)
        if stray.covered?.contains(entry.key) ?? false { continue }
        guard let first = entry.run else {
          try take(entry.key, page.value(of: entry))
          continue
        }
        let run = try overflowRun(first, size: entry.size, from: page.number).prefix(pages(of: entry.size))
        do { try claim(run) } catch { try meet(error) }
        try take(entry.key, try value(at: first, size: entry.size))
      } catch {
        try meet(error)
      }
    }
  }

  /// The entries of a page that can be read, without claiming their pages.
  borrowing func readableEntries(of page: TreePage, limit: Int = .max) -> [(key: TreeKey, value: [UInt8])] {
    var result: [(key: TreeKey, value: [UInt8])] = []
    for index in 0..<page.count where result.count < limit {
      guard let entry = try? page.leaf(index), !entry.isTable else { continue }
      guard let first = entry.run else {
        result.append((entry.key, page.value(of: entry)))
        continue
      }
      guard (try? overflowRun(first, size: entry.size, from: page.number)) != nil,
        let value = try? value(at: first, size: entry.size)
      else { continue }
      result.append((entry.key, value))
    }
    return result
  }

  /// Calls `body` with every leaf page of the file, or with those alone that nothing uses.
  borrowing func forEachLeaf(skipsUsed: Bool, _ body: (TreePage) throws -> Void) throws {
    var next: UInt64 = 2
    let end = min(filePages, meta.lastPage + 1)
    while next < end, let number = file.nextPage(from: next, size: meta.pageSize), number < end {
      next = number + 1
      guard !(skipsUsed && isSeen(number)) else { continue }
      guard let page = try? TreePage(try file.pages(number, size: meta.pageSize), number: number), page.isLeaf else {
        continue
      }
      try body(page)
    }
  }
}
