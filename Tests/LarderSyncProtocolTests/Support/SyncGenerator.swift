import LarderSyncProtocol
import TestBasics

/// Makes random values, operations and records of every kind. Few names, sites and keys, so that they meet again.
struct SyncGenerator {
  var random: SeededRandom
  /// The site whose commits are made, or nil where names are of any site.
  var site: SiteID?
  /// The commit and operation in which names are given, if any.
  var siteVersion: UInt64 = 1
  var operation: UInt32 = 0

  init(_ random: SeededRandom, site: SiteID? = nil) {
    self.random = random
    self.site = site
  }

  static let sites = (0..<12).map { SiteID(high: $0 * 0x0101_0101_0101_0101, low: $0 &* 0x9E37_79B9_7F4A_7C15) }

  static let names: [SyncText] = [
    "", "a", "b", "name", "age", "address", "Person", "City", "Ein_sehr_langer_Name_einer_Eigenschaft", "e\u{301}", "é",
    "日本", "tags", "friends", "notes", "counter", "x", "y",
  ]

  mutating func text() -> SyncText {
    random.oneIn(3) ? name() : SyncText(random.string(maxLength: random.oneIn(20) ? 300 : 12))
  }

  mutating func name() -> SyncText { random.pick(Self.names) }

  /// A number of any length.
  mutating func number() -> UInt64 { UInt64(bitPattern: random.anyInt64()) }

  mutating func number32() -> UInt32 { UInt32(truncatingIfNeeded: number()) }

  mutating func anySite() -> SiteID { random.pick(Self.sites) }

  /// A name of something that an operation made: often of the commit at hand, with numbers that follow each other.
  mutating func id() -> OperationID {
    let (any, mine) = (anySite(), site ?? anySite())
    switch random.int(0..<8) {
    case 0: return .root
    case 1: return OperationID(site: any, siteVersion: number(), operation: number32(), index: number32())
    case 2: return OperationID(site: any, siteVersion: 0, operation: 0, index: UInt32(random.int(1..<5)))
    case 3: return OperationID(site: mine, siteVersion: siteVersion, operation: UInt32(random.int(0..<3)), index: 1)
    case 4: return OperationID(site: mine, siteVersion: UInt64(random.int(1..<4)), operation: 0, index: 1)
    default:
      return OperationID(
        site: mine, siteVersion: siteVersion, operation: operation, index: UInt32(random.int(0..<6)))
    }
  }

  mutating func place() -> OperationID? {
    let id = id()
    return id == .root ? nil : id
  }

  mutating func runs() -> [OperationIDRun] {
    (0..<random.int(0..<4)).compactMap { _ in OperationIDRun(first: id(), count: UInt32(random.int(1..<9))) }
  }

  mutating func stamp() -> Stamp {
    Stamp(time: SyncTime(rawValue: number()), site: anySite(), operation: number32())
  }

  mutating func key() -> PrimaryKey {
    switch random.int(0..<4) {
    case 0: return .int(random.anyInt64())
    case 1: return .string(text())
    case 2: return .objectID(SyncObjectID(high: random.next(), low: number32()))
    default: return .uuid(SyncUUID(high: random.next(), low: random.next()))
    }
  }

  mutating func object() -> ObjectName {
    ObjectName(className: name(), key: random.oneIn(2) ? .int(Int64(random.int(0..<4))) : key())
  }

  mutating func decimal() -> SyncDecimal {
    SyncDecimal(high: random.oneIn(4) ? 0x7C00_0000_0000_0000 | random.next() : random.next(), low: random.next())
  }

  mutating func date() -> SyncDate {
    SyncDate(seconds: random.anyInt64(), nanoseconds: UInt32(random.int(0..<1_000_000_000)))
      ?? SyncDate(seconds: 0)
  }

  mutating func double() -> Double {
    switch random.int(0..<3) {
    case 0:
      return random.pick([0, -0.0, .nan, .signalingNaN, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1.5])
    default: return Double(bitPattern: random.next())
    }
  }

  /// A value that is no container.
  mutating func scalar() -> SyncValue {
    switch random.int(0..<13) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2, 3: return .int(random.anyInt64())
    case 4: return .float(random.oneIn(2) ? Float(double()) : Float(bitPattern: number32()))
    case 5: return .double(double())
    case 6: return .decimal(decimal())
    case 7: return .string(text())
    case 8: return .data(random.bytes(count: random.int(0..<20)))
    case 9: return .date(date())
    case 10: return .objectID(SyncObjectID(high: random.next(), low: number32()))
    case 11: return .uuid(SyncUUID(high: random.next(), low: random.next()))
    default: return .link(object())
    }
  }

  /// Any value, with containers within each other up to a depth.
  mutating func value(depth: Int = 3) -> SyncValue {
    guard depth > 0, random.oneIn(3) else { return scalar() }
    let count = random.oneIn(30) ? random.int(0..<40) : random.int(0..<4)
    switch random.int(0..<4) {
    case 0: return .embedded(SyncEmbedded(incarnation: id(), properties: properties(count, depth: depth - 1)))
    case 1: return .list(list(count, depth: depth - 1))
    case 2: return .set(SyncSet(incarnation: id(), values: (0..<count).map { _ in scalar() }))
    default:
      return .map(
        SyncMap(incarnation: id(), entries: (0..<count).map { _ in SyncMapEntry(text(), value(depth: depth - 1)) }))
    }
  }

  mutating func properties(_ count: Int, depth: Int) -> [SyncProperty] {
    (0..<count).map { _ in SyncProperty(name(), value(depth: depth)) }
  }

  /// A list whose names often follow each other, and whose places sometimes have names of their own.
  mutating func list(_ count: Int, depth: Int) -> SyncList {
    var entries: [SyncListEntry] = []
    var (element, position) = (id(), id())
    var isMoved = false
    for _ in 0..<count {
      if random.oneIn(3) { (element, position, isMoved) = (id(), id(), random.oneIn(4)) }
      entries.append(
        SyncListEntry(element: element, position: isMoved ? position : nil, value: value(depth: depth)))
      element = element.advanced(by: 1) ?? .root
      position = position.advanced(by: 1) ?? .root
    }
    return SyncList(incarnation: id(), entries: entries)
  }
}
