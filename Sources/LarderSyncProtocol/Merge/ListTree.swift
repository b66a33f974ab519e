/// A list on the server: a tree of positions whose in-order walk is the list.
///
/// A position has children to its left and to its right, each side from the oldest to the newest. An element begins at the position that its
/// insertion made; a move makes another position, and the newest place of an element counts. Positions without an element shown at them stay
/// as neighbours that later operations may name, until `reroot` drops them.
///
/// Finding a position costs time in the length of the list, some nanoseconds for each. A tree that was changed often has a table of its positions
/// and elements, and looks for the place of a node beside the newest one first, so that many changes of one commit cost little each.
struct ListTree: Sendable {
  enum Side: UInt8, Sendable { case left, right }

  struct Node: Sendable {
    var stamp: Stamp
    /// Index of the parent, -1 for the root.
    var parent: Int32
    var side: Side
    var element: Int32
    var firstLeft: Int32 = -1
    var firstRight: Int32 = -1
    var lastLeft: Int32 = -1
    var lastRight: Int32 = -1
    /// The next newer child of the same parent on the same side.
    var next: Int32 = -1
  }

  struct Element: Sendable {
    var inserted: Stamp
    var isDead = false
    var place: Int32
    var placed: Stamp
    var slot: MergeSlot
  }

  /// The place of a new position in the tree.
  struct Place: Equatable {
    var parent: Int32
    var side: Side
  }

  private(set) var positions: [OperationID] = []
  private(set) var nodes: [Node] = []
  private(set) var elementIDs: [OperationID] = []
  var elements: [Element] = []
  /// Indexes of nodes in the order of the list.
  private(set) var order: [Int32] = []
  private var rootFirst: Int32 = -1
  private var rootLast: Int32 = -1
  /// The index in `order` of the node that was added last.
  private var newest = 0
  private var names = NameTable()

  /// The indexes of positions and elements by their ids, once operations have added many.
  private struct NameTable {
    /// The number of operations that add a position before there is a table.
    private static let fewest = 16
    private var operations = 0
    private(set) var isMade = false
    private var positions: [OperationID: Int32] = [:]
    private var elements: [OperationID: Int32] = [:]

    func position(_ id: OperationID) -> Int32? { positions[id] }

    func element(_ id: OperationID) -> Int? { elements[id].map { Int($0) } }

    /// Counts an operation that is about to add a position, and makes the table at the last that is done without.
    mutating func count(_ positions: [OperationID], _ elements: [OperationID]) {
      guard !isMade else { return }
      operations += 1
      guard operations > Self.fewest else { return }
      isMade = true
      self.positions = Dictionary(zip(positions, 0...)) { first, _ in first }
      self.elements = Dictionary(zip(elements, 0...)) { first, _ in first }
    }

    /// Notes a position that was added as the last of all.
    mutating func notePosition(_ id: OperationID, _ index: Int32) {
      if isMade, positions[id] == nil { positions[id] = index }
    }

    /// Notes an element that was added as the last of all.
    mutating func noteElement(_ id: OperationID, _ index: Int32) {
      if isMade, elements[id] == nil { elements[id] = index }
    }
  }

  /// Places in the order of the list with the indexes of their parents, and the elements.
  struct Parts {
    var positions: [OperationID] = []
    var nodes: [Node] = []
    var elementIDs: [OperationID] = []
    var elements: [Element] = []
  }

  init() {}

  /// The tree of places that are in its order; nil when they are not.
  init?(_ parts: Parts) {
    positions = parts.positions
    nodes = parts.nodes
    elementIDs = parts.elementIDs
    elements = parts.elements
    order = nodes.indices.map(Int32.init)
    // The last child of each node on each side, and of the root.
    var last = [[Int32]](repeating: [-1, -1], count: nodes.count)
    var lastOfRoot: Int32 = -1
    for index in order {
      let (parent, side) = (nodes[Int(index)].parent, nodes[Int(index)].side)
      guard parent != index, parent != -1 || side == .right else { return nil }
      let previous = parent == -1 ? lastOfRoot : last[Int(parent)][Int(side.rawValue)]
      if previous == -1 {
        setFirstChild(of: Place(parent: parent, side: side), index)
      } else {
        nodes[Int(previous)].next = index
      }
      if parent == -1 { lastOfRoot = index } else { last[Int(parent)][Int(side.rawValue)] = index }
      setLastChild(of: Place(parent: parent, side: side), index)
    }
    guard isInOrder else { return nil }
  }

  /// True if walking the tree gives `order`.
  private var isInOrder: Bool {
    var walked: Int32 = 0
    var waiting: [(node: Int32, isOpened: Bool)] = []
    func push(_ first: Int32) {
      var children: [Int32] = []
      var child = first
      while child != -1 {
        children.append(child)
        child = nodes[Int(child)].next
      }
      waiting += children.reversed().map { ($0, false) }
    }
    push(rootFirst)
    while let (node, isOpened) = waiting.popLast() {
      if isOpened {
        guard order[Int(walked)] == node else { return false }
        walked += 1
        push(nodes[Int(node)].firstRight)
      } else {
        waiting.append((node, true))
        push(nodes[Int(node)].firstLeft)
      }
    }
    return Int(walked) == order.count
  }

  func position(_ id: OperationID) -> Int32? {
    names.isMade ? names.position(id) : positions.firstIndex(of: id).map(Int32.init)
  }

  func element(_ id: OperationID) -> Int? { names.isMade ? names.element(id) : elementIDs.firstIndex(of: id) }

  /// Returns the index of a node in `order`.
  private func index(of node: Int32) -> Int {
    for near in newest - 1...newest + 1 where order.indices.contains(near) && order[near] == node { return near }
    return order.firstIndex(of: node)!
  }

  /// The elements that are known of those named, in any order.
  func indices(of runs: [OperationIDRun]) -> [Int] {
    let count = runs.reduce(0) { $0 + Int($1.count) }
    guard count > 8 else { return runs.flatMap { $0.ids.compactMap { element($0) } } }
    let wanted = Set(runs.flatMap { $0.ids.prefix(elementIDs.count + 1) })
    return elementIDs.indices.filter { wanted.contains(elementIDs[$0]) }
  }

  /// Returns true if an element is in the list, given the stamp up to which the object's content is void.
  func isAlive(_ element: Int, above floor: Stamp) -> Bool {
    !elements[element].isDead && elements[element].inserted > floor
  }

  func isShown(_ node: Int32, above floor: Stamp) -> Bool {
    let element = Int(nodes[Int(node)].element)
    return elements[element].place == node && isAlive(element, above: floor)
  }

  /// Returns the place of the position between two neighbours; nil is the beginning for `left`, and the end for `right`.
  func place(left: OperationID?, right: OperationID?) -> Place {
    let end = Place(parent: -1, side: .right)
    let leftNode = left.map { position($0) } ?? -1
    guard let right else { return leftNode.map { Place(parent: $0, side: .right) } ?? end }
    let rightNode = position(right)
    switch (leftNode, rightNode) {
    case (let leftNode?, let rightNode?):
      return isDescendant(rightNode, of: leftNode)
        ? Place(parent: rightNode, side: .left) : Place(parent: leftNode, side: .right)
    case (let leftNode?, nil): return directlyAfter(leftNode)
    case (nil, let rightNode?): return Place(parent: rightNode, side: .left)
    case (nil, nil): return end
    }
  }

  private func directlyAfter(_ node: Int32) -> Place {
    let following = node == -1 ? 0 : index(of: node) + 1
    guard following < order.count, isDescendant(order[following], of: node) else {
      return Place(parent: node, side: .right)
    }
    return Place(parent: order[following], side: .left)
  }

  private func isDescendant(_ node: Int32, of ancestor: Int32) -> Bool {
    if ancestor == -1 { return true }
    var above = nodes[Int(node)].parent
    while above != -1 {
      if above == ancestor { return true }
      above = nodes[Int(above)].parent
    }
    return false
  }

  /// Adds a position for an element, and returns its node.
  @discardableResult
  mutating func addPosition(_ id: OperationID, at place: Place, stamp: Stamp, element: Int32) -> Int32 {
    let new = Int32(nodes.count)
    let (previous, next) = siblings(of: place, around: stamp)
    var node = Node(stamp: stamp, parent: place.parent, side: place.side, element: element)
    node.next = next
    if next != -1 {
      newest = index(of: outermost(next, .left))
    } else if previous != -1 {
      newest = index(of: outermost(previous, .right)) + 1
    } else if place.parent == -1 {
      newest = 0
    } else {
      newest = index(of: place.parent) + (place.side == .right ? 1 : 0)
    }
    names.count(positions, elementIDs)
    nodes.append(node)
    positions.append(id)
    names.notePosition(id, new)
    order.insert(new, at: newest)
    if next == -1 { setLastChild(of: place, new) }
    if previous != -1 {
      nodes[Int(previous)].next = new
    } else {
      setFirstChild(of: place, new)
    }
    return new
  }

  /// Adds an element at a new position with the same id.
  @discardableResult
  mutating func insert(_ id: OperationID, at place: Place, stamp: Stamp, slot: MergeSlot) -> Int32 {
    let element = Int32(elements.count)
    let node = addPosition(id, at: place, stamp: stamp, element: element)
    elementIDs.append(id)
    names.noteElement(id, element)
    elements.append(Element(inserted: stamp, place: node, placed: stamp, slot: slot))
    return node
  }

  /// Adds elements that follow each other, each at a new position with the same id, and returns the node of the first one. Finding their places costs
  /// as much as for one.
  @discardableResult
  mutating func insert(
    _ elements: some Sequence<(OperationID, MergeSlot)>, at place: Place, stamp: Stamp
  ) -> Int32? {
    var first: Int32?
    var following: [Int32] = []
    for (id, slot) in elements {
      guard let node = first else {
        first = insert(id, at: place, stamp: stamp, slot: slot)
        continue
      }
      let new = chain(id, after: following.last ?? node, stamp: stamp)
      elementIDs.append(id)
      names.noteElement(id, Int32(elementIDs.count - 1))
      self.elements.append(Element(inserted: stamp, place: new, placed: stamp, slot: slot))
      following.append(new)
    }
    if let first, !following.isEmpty {
      let start = index(of: first) + 1
      order.insert(contentsOf: following, at: start)
      newest = start + following.count - 1
    }
    return first
  }

  /// Adds a position for the next element, to the right of a node that has no child there. `order` does not have it yet.
  private mutating func chain(_ id: OperationID, after last: Int32, stamp: Stamp) -> Int32 {
    let new = Int32(nodes.count)
    nodes.append(Node(stamp: stamp, parent: last, side: .right, element: Int32(elements.count)))
    positions.append(id)
    names.notePosition(id, new)
    setFirstChild(of: Place(parent: last, side: .right), new)
    setLastChild(of: Place(parent: last, side: .right), new)
    return new
  }

  private func siblings(of place: Place, around stamp: Stamp) -> (previous: Int32, next: Int32) {
    let last = lastChild(of: place)
    if last != -1, nodes[Int(last)].stamp < stamp { return (last, -1) }
    var previous: Int32 = -1
    var next = firstChild(of: place)
    while next != -1, nodes[Int(next)].stamp < stamp {
      previous = next
      next = nodes[Int(next)].next
    }
    return (previous, next)
  }

  private func firstChild(of place: Place) -> Int32 {
    if place.parent == -1 { return rootFirst }
    let parent = nodes[Int(place.parent)]
    return place.side == .left ? parent.firstLeft : parent.firstRight
  }

  private func lastChild(of place: Place) -> Int32 {
    if place.parent == -1 { return rootLast }
    let parent = nodes[Int(place.parent)]
    return place.side == .left ? parent.lastLeft : parent.lastRight
  }

  private mutating func setLastChild(of place: Place, _ child: Int32) {
    if place.parent == -1 {
      rootLast = child
    } else if place.side == .left {
      nodes[Int(place.parent)].lastLeft = child
    } else {
      nodes[Int(place.parent)].lastRight = child
    }
  }

  private mutating func setFirstChild(of place: Place, _ child: Int32) {
    if place.parent == -1 {
      rootFirst = child
    } else if place.side == .left {
      nodes[Int(place.parent)].firstLeft = child
    } else {
      nodes[Int(place.parent)].firstRight = child
    }
  }

  /// The first or last node of the subtree of a node.
  private func outermost(_ node: Int32, _ side: Side) -> Int32 {
    var current = node
    while true {
      let child = side == .left ? nodes[Int(current)].firstLeft : nodes[Int(current)].lastRight
      guard child != -1 else { return current }
      current = child
    }
  }

  /// The position shown before a node.
  func shownBefore(_ node: Int32, above floor: Stamp) -> OperationID? {
    var index = index(of: node) - 1
    while index >= 0 {
      if isShown(order[index], above: floor) { return positions[Int(order[index])] }
      index -= 1
    }
    return nil
  }

  /// Nodes of the elements shown, in order.
  func shown(above floor: Stamp) -> [Int32] { order.filter { isShown($0, above: floor) } }

  /// The elements shown, in order.
  func entries(above floor: Stamp) -> [SyncListEntry] {
    shown(above: floor).map { node in
      let element = Int(nodes[Int(node)].element)
      return SyncListEntry(
        element: elementIDs[element], position: positions[Int(node)],
        value: elements[element].slot.image(above: floor) ?? .null)
    }
  }

  /// Adds elements at the end of an empty list, each next to the one before.
  mutating func append(_ entries: [SyncListEntry], stamp: Stamp) {
    var parent: Int32 = -1
    for entry in entries {
      parent = chain(entry.position, after: parent, stamp: stamp)
      order.append(parent)
      elementIDs.append(entry.element)
      names.noteElement(entry.element, Int32(elementIDs.count - 1))
      elements.append(
        Element(inserted: stamp, place: parent, placed: stamp, slot: MergeSlot(Written(stamp, entry.value))))
    }
  }

  /// Keeps what is shown and makes its order a plain chain without stamps: what later operations may still name.
  mutating func reroot(above floor: Stamp) {
    let kept = shown(above: floor)
    var fresh = ListTree()
    for node in kept {
      let old = nodes[Int(node)]
      var element = elements[Int(old.element)]
      let last = Int32(fresh.nodes.count) - 1
      element.place = fresh.chain(positions[Int(node)], after: last, stamp: .zero)
      fresh.order.append(element.place)
      fresh.elementIDs.append(elementIDs[Int(old.element)])
      fresh.elements.append(element)
    }
    self = fresh
  }
}
