/// A leaf page that no tree leads to any more, and the table that it is of.
struct StrayPage {
  let number: UInt64
  let table: String
  let count: Int
  fileprivate let first: TreeKey
  fileprivate let last: TreeKey
}

/// Leaf pages that are read without a tree that leads to them, once the trees have been walked.
extension PageWalker {
  /// Values of a page that are looked at for a proof.
  private static let probes = 8

  /// The pages in use by nobody that surely belong to one of the tables, none with keys of another.
  mutating func strays(of tables: [String], _ isProven: PageRescue.Proof) throws -> [StrayPage] {
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

  /// Those of a table's pages that have no keys in common; of several that do the one with most entries.
  private mutating func apart(_ pages: [StrayPage]) throws -> [StrayPage] {
    var kept: [StrayPage] = []
    for page in pages.sorted(by: { $0.first.precedes($1.first, isNumber: false) }) {
      guard let before = kept.last, !before.last.precedes(page.first, isNumber: false) else {
        kept.append(page)
        continue
      }
      try meet(
        pageFault(
          page.number, "nothing leads to it, and it has keys of page \(before.number); which is newer cannot be told"))
      if page.count > before.count { kept[kept.count - 1] = page }
    }
    return kept
  }

  /// Calls `take` with the entries of a page.
  mutating func read(_ stray: StrayPage, _ take: (TreeKey, [UInt8]) throws -> Void) throws {
    do { try claim(stray.number) } catch { return try meet(error) }
    let page = try TreePage(try file.pages(stray.number, size: meta.pageSize), number: stray.number)
    let inOrder = page.keysInOrder(within: .everything, areNumbers: false)
    for index in 0..<page.count where inOrder[index] {
      do {
        let entry = try page.leaf(index)
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

  /// Calls `body` with every leaf page of the file, or with those alone that nobody uses.
  borrowing func forEachLeaf(skipsUsed: Bool, _ body: (TreePage) throws -> Void) throws {
    guard filePages > 2 else { return }
    for number in 2..<min(filePages, meta.lastPage + 1) where !(skipsUsed && isSeen(number)) {
      guard let page = try? TreePage(try file.pages(number, size: meta.pageSize), number: number), page.isLeaf else {
        continue
      }
      try body(page)
    }
  }
}
