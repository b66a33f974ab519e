import LarderStorage

/// A sort criterion as words, one per object: unsigned order of words is the order of values, up to ties that need a look
/// at the whole values.
struct SortColumn {
  /// Rank of a nil value, of a value, of a nil link on the way; in a descending sort they are reversed.
  static let valueRank: UInt8 = 1

  private(set) var words: [UInt64]
  /// nil when every object has a value.
  private(set) var ranks: [UInt8]?
  /// True if equal words mean equal values.
  private(set) var isExact = true
  let isAscending: Bool
  /// nil for computed words, which are exact.
  private let source: ColumnAccess?
  private let targets: [UInt64]

  init(_ context: ExecutionContext, _ classID: ClassID, _ sortKey: SortKey, _ keys: [UInt64]) throws {
    isAscending = sortKey.isAscending
    guard case .path(let path) = sortKey.target, path.type != .mixed,
      sortKey.collation == .binary || path.type != .string
    else {
      (source, targets) = (nil, [])
      words = []
      try rank(context, classID, sortKey, keys)
      return
    }
    var (classID, targets) = (classID, keys)
    for link in path.links {
      targets = try context.follow(link, classID, targets)
      classID = link.target
    }
    self.targets = targets
    self.source = try ColumnAccess(context, classID, path.column)
    self.words = Array(repeating: 0, count: keys.count)
    try extract(hasLinks: !path.links.isEmpty)
    if !isAscending { reverse() }
  }

  private var access: ColumnAccess {
    guard let source else { preconditionFailure("computed words have no column") }
    return source
  }

  /// Sorts the values themselves and numbers them: for what no column holds.
  private mutating func rank(
    _ context: ExecutionContext, _ classID: ClassID, _ sortKey: SortKey, _ keys: [UInt64]
  ) throws {
    let evaluator = RowEvaluator(context.reader)
    let values = try keys.map { key in
      try context.interruption?.check()
      return try evaluator.sortValue(sortKey.target, classID, ObjectKey(rawValue: key))
    }
    let order = SortOrder(sortKey)
    let places = values.indices.sorted { order.compare(values[$0], values[$1]) < 0 }
    words = Array(repeating: 0, count: keys.count)
    var number: UInt64 = 0
    for (before, place) in zip([nil] + places.map { Optional($0) }, places) {
      if let before, order.compare(values[before], values[place]) != 0 { number += 1 }
      words[place] = number
    }
  }

  private mutating func reverse() {
    for index in words.indices { words[index] = ~words[index] }
    ranks = ranks?.map { 2 - $0 }
  }

  // MARK: - Words

  private mutating func extract(hasLinks: Bool) throws {
    switch access.column.type {
    case .int: try fill(hasLinks) { UInt64(bitPattern: $0.pointers.int($1)) ^ 1 << 63 }
    case .bool: try fill(hasLinks) { $0.pointers.bool($1) ? 1 : 0 }
    case .double: try fill(hasLinks) { UInt64(bitPattern: ValueOrder.total($0.pointers.double($1))) ^ 1 << 63 }
    case .float: try fill(hasLinks) { UInt64(bitPattern: ValueOrder.total(Double($0.pointers.float($1)))) ^ 1 << 63 }
    case .date:
      isExact = false
      try fill(hasLinks) { UInt64(bitPattern: $0.pointers.int($1)) ^ 1 << 63 }
    case .string, .data:
      isExact = false
      try fillText(hasLinks)
    case .objectId:
      isExact = false
      try fill(hasLinks) { $0.pointers.objectId($1).high }
    case .uuid:
      isExact = false
      try fill(hasLinks) {
        UInt64(bigEndian: $0.payload.loadUnaligned(fromByteOffset: $1 &<< 4, as: UInt64.self))
      }
    default:
      isExact = false
      try fill(hasLinks) { _, _ in 0 }
    }
  }

  /// The word of the type's zero, for slots without a stored value.
  private var zeroWord: UInt64 {
    switch access.column.type {
    case .int, .double, .float, .date: 1 << 63
    default: 0
    }
  }

  /// - Parameter whole: Fills in the words of a run in a leaf without nulls, where it can.
  @inline(__always)
  private mutating func fill(
    _ hasLinks: Bool,
    whole: (Range<Int>, UInt64, LeafView, UnsafeMutableBufferPointer<UInt64>) -> Bool = { _, _, _, _ in false },
    _ word: (LeafView, Int) throws -> UInt64
  ) throws {
    let (access, targets) = (access, targets)
    let (zero, initialIsNull) = (zeroWord, access.initial.isNull)
    var ranked: [(position: Int, rank: UInt8)] = []
    try words.withUnsafeMutableBufferPointer { words in
      try access.forEachRun(targets) { positions, first, leaf in
        let isPlain = !hasLinks && leaf.map { $0.pointers.nulls == nil } ?? false
        if isPlain, let leaf, whole(positions, first, leaf, words) { return }
        let count = leaf?.count ?? 0
        for position in positions {
          let slot = Int(truncatingIfNeeded: targets[position] &- first)
          if !isPlain, let rank = Self.rank(of: targets[position], slot, leaf) {
            ranked.append((position, rank))
          } else if let leaf, slot < count {
            words[position] = try word(leaf, slot)
          } else if initialIsNull {
            ranked.append((position, 0))
          } else {
            words[position] = zero
          }
        }
      }
    }
    guard !ranked.isEmpty else { return }
    var ranks = [UInt8](repeating: Self.valueRank, count: words.count)
    for (position, rank) in ranked { ranks[position] = rank }
    self.ranks = ranks
  }

  /// The rank of an object without a value.
  private static func rank(of key: UInt64, _ slot: Int, _ leaf: LeafView?) -> UInt8? {
    if key == noKey { return 2 }
    guard let leaf, slot < leaf.count else { return nil }
    return leaf.pointers.isNull(slot) ? 0 : nil
  }

  private mutating func fillText(_ hasLinks: Bool) throws {
    let access = access
    let targets = targets
    var large: [Int] = []
    try fill(hasLinks, whole: { Self.packedPrefixes(of: targets, $0, $1, $2, into: $3) }) { leaf, slot in
      leaf.pointers.isLarge(slot) ? 0 : Self.prefix(leaf.pointers.bytes(slot))
    }
    try access.forEachRun(targets) { positions, first, leaf in
      guard let leaf, leaf.hasLarge else { return }
      for position in positions where targets[position] != noKey {
        let slot = Int(truncatingIfNeeded: targets[position] &- first)
        if slot < leaf.count, leaf.pointers.isLarge(slot) { large.append(position) }
      }
    }
    for position in large {
      if let word = try access.withBytes(targets[position], { Self.prefix($0) }) { words[position] = word }
    }
  }

  /// The words of texts that are one after the other in a leaf; false where they are not, or some are not there.
  private static func packedPrefixes(
    of targets: [UInt64], _ positions: Range<Int>, _ first: UInt64, _ leaf: LeafView,
    into words: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    let pointers = leaf.pointers
    guard !leaf.hasLarge, pointers.packedText != nil else { return false }
    let count = Int(pointers.count)
    var (next, offset) = (0, pointers.offset(0))
    for position in positions {
      let slot = Int(truncatingIfNeeded: targets[position] &- first)
      guard slot < count else { return false }
      let start = slot == next ? offset : pointers.offset(slot)
      (next, offset) = (slot &+ 1, pointers.offset(slot &+ 1))
      words[position] = pointers.textPrefix(from: start, to: offset)
    }
    return true
  }

  /// The first eight bytes, big-endian, filled up with zeros.
  @inline(__always)
  static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 { LeafPointers.textPrefix(bytes) }

  // MARK: - Whole values

  /// Order of two objects' whole values, in the direction of the sort.
  func compare(_ a: Int, _ b: Int) throws -> Int {
    let order: Int
    if access.column.type == .string || access.column.type == .data {
      let compared = try access.withBytes(targets[a]) { left in
        try access.withBytes(targets[b]) { right in TextMatcher.order(left, right) } ?? 0
      }
      order = compared ?? 0
    } else {
      order = ValueOrder.compare(try access.value(targets[a]), try access.value(targets[b]))
    }
    return isAscending ? order : -order
  }
}
