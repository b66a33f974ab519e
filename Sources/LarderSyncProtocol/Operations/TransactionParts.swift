/// Finds how a transaction that is too large for one commit can be sent as several: by objects, each with everything that is done to it.
///
/// An object that links to another one of the transaction comes with it or after it, so that no device sees a link to an object that is still to
/// come. Objects that link to each other in a circle stay together. A transaction that deletes objects and does other things is not taken apart: what
/// it deletes may have been moved.
public struct TransactionParts<Object: Hashable & Sendable>: Sendable {
  /// Objects that have to stay together and are more than one commit can have.
  public struct TooLarge: Error, Sendable {
    /// The object of which the transaction says most.
    public let largest: Object
    /// The limit that is exceeded, and the amount.
    public let exceeded: SyncLimitExceeded
    /// True if deletions are what keeps the transaction together.
    public let hasDeletions: Bool
  }

  private var objects: [Object] = []
  private var places: [Object: Int] = [:]
  private var weights: [TransactionWeight] = []
  private var links: [(from: Int, to: Object)] = []
  private var deletions = 0

  /// A transaction that does nothing so far.
  public init() {}

  /// Adds a change of an object.
  public mutating func add(_ object: Object, _ weight: TransactionWeight, isDeletion: Bool, links: [Object]) {
    let place = places[object] ?? objects.count
    if place == objects.count {
      places[object] = place
      objects.append(object)
      weights.append(.zero)
    }
    weights[place] += weight
    if isDeletion { deletions += 1 }
    for link in links where link != object { self.links.append((place, link)) }
  }

  /// The objects of each part, in the order in which the parts are to be sent; one part when everything fits into it.
  ///
  /// - Throws: `TooLarge`.
  public func split() throws(TooLarge) -> [[Object]] {
    let whole = weights.reduce(.zero, +)
    if whole.fits { return [objects] }
    if deletions > 0, deletions < objects.count { throw tooLarge(Array(objects.indices), hasDeletions: true) }
    var parts: [[Int]] = []
    var weight = TransactionWeight.zero
    for group in groups() {
      let groupWeight = group.reduce(TransactionWeight.zero) { $0 + weights[$1] }
      guard groupWeight.fits else { throw tooLarge(group, hasDeletions: false) }
      if parts.isEmpty || !(weight + groupWeight).fits {
        parts.append([])
        weight = .zero
      }
      weight += groupWeight
      parts[parts.count - 1] += group
    }
    return parts.map { part in part.map { objects[$0] } }
  }

  private func tooLarge(_ group: [Int], hasDeletions: Bool) -> TooLarge {
    let weight = group.reduce(TransactionWeight.zero) { $0 + weights[$1] }
    let largest = group.max { weights[$0].bytes < weights[$1].bytes } ?? 0
    let exceeded =
      weight.bytes > SyncLimit.transactionBytes.most
      ? SyncLimitExceeded(.transactionBytes, found: weight.bytes)
      : SyncLimitExceeded(.transactionItems, found: weight.items)
    return TooLarge(largest: objects[largest], exceeded: exceeded, hasDeletions: hasDeletions)
  }

  /// Objects that link to each other in circles, together; each group after those that it links to.
  private func groups() -> [[Int]] {
    var edges = Array(repeating: [Int](), count: objects.count)
    for (from, to) in links { if let to = places[to] { edges[from].append(to) } }
    return LinkedGroups(edges).groups
  }
}

/// The strongly connected components of a graph by Tarjan's algorithm, without recursion: chains of links may be long.
private struct LinkedGroups {
  private(set) var groups: [[Int]] = []
  private let edges: [[Int]]
  private var numbers: [Int]
  private var lowest: [Int]
  private var isWaiting: [Bool]
  private var waiting: [Int] = []
  private var next = 0

  init(_ edges: [[Int]]) {
    self.edges = edges
    numbers = Array(repeating: -1, count: edges.count)
    lowest = numbers
    isWaiting = Array(repeating: false, count: edges.count)
    for node in edges.indices where numbers[node] < 0 { visit(node) }
  }

  private mutating func begin(_ node: Int) {
    numbers[node] = next
    lowest[node] = next
    next += 1
    waiting.append(node)
    isWaiting[node] = true
  }

  private mutating func visit(_ root: Int) {
    var calls = [(node: root, edge: 0)]
    begin(root)
    while let (node, edge) = calls.last {
      guard edge < edges[node].count else {
        calls.removeLast()
        if let caller = calls.last?.node { lowest[caller] = min(lowest[caller], lowest[node]) }
        if lowest[node] == numbers[node] { end(node) }
        continue
      }
      calls[calls.count - 1].edge += 1
      let target = edges[node][edge]
      if numbers[target] < 0 {
        begin(target)
        calls.append((target, 0))
      } else if isWaiting[target] {
        lowest[node] = min(lowest[node], numbers[target])
      }
    }
  }

  private mutating func end(_ node: Int) {
    var group: [Int] = []
    while let last = waiting.popLast() {
      isWaiting[last] = false
      group.append(last)
      if last == node { break }
    }
    groups.append(group)
  }
}
