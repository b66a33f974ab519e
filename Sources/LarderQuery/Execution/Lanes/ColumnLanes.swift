import LarderStorage

/// The part that is taken of a column's values.
enum LaneSource {
  /// The number itself.
  case number
  /// A part of a date, in UTC without offsets.
  case part(CalendarPart, TimeZoneOffsets?)
  /// The length of a text or of data.
  case length
}

/// A column of the class, or one over to-one links.
final class ColumnLanes: Lanes {
  private let classID: ClassID
  private let links: [LinkStep]
  private let access: ColumnAccess
  private let source: LaneSource

  init(
    _ context: ExecutionContext, _ kind: Kind, _ classID: ClassID, _ path: BoundPath, _ source: LaneSource
  ) throws {
    self.classID = classID
    self.links = path.links
    self.source = source
    access = try ColumnAccess(context, path.links.last?.target ?? classID, path.column)
    super.init(context, kind)
  }

  override var cost: Double {
    let each: Double =
      switch source {
      case .number: 1
      case .part: 6
      case .length: 20
      }
    return links.isEmpty ? each : each + 20 * Double(links.count)
  }

  override func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {
    clearNulls()
    let first = UInt64(cluster) * UInt64(context.clusterSize)
    guard links.isEmpty else { return try fillLinked(first, candidates) }
    guard let leaf = try access.leaf(cluster), leaf.count > 0 else {
      return try forEachCandidate(candidates) { try setInitial($0) }
    }
    let pointers = leaf.pointers
    for index in 0..<min(context.stride, (leaf.count + 63) >> 6) {
      let rest = leaf.count - index << 6
      nulls[index] = pointers.nullWord(index) & (rest < 64 ? 1 << UInt64(rest) - 1 : .max)
    }
    switch (source, kind) {
    case (.number, .integers): fillIntegers(pointers, leaf.count, candidates)
    case (.number, _): fillReals(pointers, leaf.count, candidates)
    default:
      try forEachCandidate(candidates) { slot in
        if slot < leaf.count, !pointers.isNull(slot) { try take(slot, from: leaf, slot, first &+ UInt64(slot)) }
      }
    }
    if leaf.count < context.clusterSize {
      try forEachCandidate(candidates) { if $0 >= leaf.count { try setInitial($0) } }
    }
  }

  private func fillIntegers(_ pointers: LeafPointers, _ count: Int, _ candidates: UnsafePointer<UInt64>) {
    forEachSlot(candidates) { slot in if slot < count { integers[slot] = pointers.int(slot) } }
  }

  private func fillReals(_ pointers: LeafPointers, _ count: Int, _ candidates: UnsafePointer<UInt64>) {
    switch access.column.type {
    case .int where kind == .floats:
      forEachSlot(candidates) { if $0 < count { reals[$0] = Double(Float(pointers.int($0))) } }
    case .int: forEachSlot(candidates) { if $0 < count { reals[$0] = Double(pointers.int($0)) } }
    case .float: forEachSlot(candidates) { if $0 < count { reals[$0] = Double(pointers.float($0)) } }
    default: forEachSlot(candidates) { if $0 < count { reals[$0] = pointers.double($0) } }
    }
  }

  /// The value at the end of the links of each candidate; none where a link is nil or leads nowhere.
  private func fillLinked(_ first: UInt64, _ candidates: UnsafePointer<UInt64>) throws {
    var slots: [Int] = []
    forEachCandidate(candidates) { slots.append($0) }
    var (owner, keys) = (classID, slots.map { first &+ UInt64($0) })
    for link in links {
      keys = try context.follow(link, owner, keys)
      owner = link.target
    }
    try access.forEachRun(keys) { positions, start, leaf in
      for position in positions {
        let key = keys[position]
        let slot = Int(truncatingIfNeeded: key &- start)
        if key == noKey {
          setNull(slots[position])
        } else if let leaf, slot < leaf.count {
          if leaf.pointers.isNull(slot) {
            setNull(slots[position])
          } else {
            try take(slots[position], from: leaf, slot, key)
          }
        } else {
          try setInitial(slots[position])
        }
      }
    }
  }

  /// Takes the value of a slot of a leaf that is not null.
  private func take(_ place: Int, from leaf: LeafView, _ slot: Int, _ key: UInt64) throws {
    let pointers = leaf.pointers
    switch source {
    case .number: set(place, try leaf.value(slot))
    case .part(let part, nil): integers[place] = part.value(pointers.int(slot))
    case .part(let part, let offsets?):
      let seconds = pointers.int(slot)
      integers[place] = part.value(seconds &+ offsets.offset(at: seconds))
    case .length:
      let isText = access.column.type == .string
      if let length = try access.withBytes(key, { isText ? Self.scalars($0) : $0.count }) {
        integers[place] = Int64(length)
      } else {
        setNull(place)
      }
    }
  }

  /// Sets the value of a slot beyond the end of a leaf.
  private func setInitial(_ slot: Int) throws {
    let value = access.initial
    switch source {
    case .number: set(slot, value)
    case .part(let part, let offsets):
      guard case .date(let time) = value else { return setNull(slot) }
      integers[slot] = part.value(time.seconds &+ (offsets?.offset(at: time.seconds) ?? 0))
    case .length: set(slot, ValueFunction.length.apply(value))
    }
  }

  /// Unicode scalars: the bytes that do not go on with one.
  @inline(__always)
  private static func scalars(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for byte in bytes { count &+= byte & 0xC0 == 0x80 ? 0 : 1 }
    return count
  }
}
