import LarderStorage

/// The checksums of a store's entries, made again, as `docs/file-format.md` has them.
struct StoreSeals {
  private enum Table: String {
    case catalog, clusters, large, collections, indexes, backlinks, log, tombstones, cursors, origins
  }

  private let names: [String]
  private static let tail: UInt64 = 0x7461_696C
  private static let sealing: UInt64 = 0x7365_616C_696E_6700

  init(_ names: [String]) { self.names = names }

  private func word(_ key: [UInt8], _ place: Int = 0) -> UInt64 {
    key.dropFirst(place * 8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// True if the checksum is in the first eight bytes of a value.
  func isSealedInFront(_ key: [UInt8], _ table: String) -> Bool {
    switch Table(rawValue: table) {
    case .clusters, .indexes, .backlinks: true
    case .collections: word(key) & 0x7FFF_FFFF == 0
    case .catalog: word(key) >> 32 == Self.tail || word(key) == Self.sealing
    default: false
    }
  }

  /// The value with the checksum that it should have under a key.
  func sealed(_ value: [UInt8], under key: [UInt8], of table: String) -> [UInt8] {
    var value = value
    switch Table(rawValue: table) {
    case .clusters, .indexes, .backlinks: front(&value, word(key))
    case .collections where isSealedInFront(key, table):
      let seed =
        (word(key) &+ word(key, 1) &* 0x9E37_79B9_7F4A_7C15) ^ (word(key, 2) &* 0xBF58_476D_1CE4_E5B9)
      front(&value, seed)
    case .catalog: catalog(&value, word(key))
    case .log: log(&value, word(key))
    default: break
    }
    return value
  }

  private func sum(_ content: some Collection<UInt8>, _ seed: UInt64) -> [UInt8] {
    let sum = Array(content).withUnsafeBytes { Checksum64.hash($0, seed: seed) }
    return bytes(sum)
  }

  private func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private func front(_ value: inout [UInt8], _ seed: UInt64) {
    if value.count >= 8 { value.replaceSubrange(0..<8, with: sum(value[8...], seed)) }
  }

  private func catalog(_ value: inout [UInt8], _ word: UInt64) {
    if word == Self.sealing { return front(&value, word) }
    guard word >> 32 == Self.tail else {
      guard value.count >= 16 else { return }
      return value.replaceSubrange((value.count - 8)..., with: sum(value.dropLast(8), word))
    }
    sealTail(&value, classID: word >> 16 & 0xFFFF)
    front(&value, word)
  }

  /// The leaves within a record of newest objects.
  private func sealTail(_ value: inout [UInt8], classID: UInt64) {
    func number(_ place: Int, _ width: Int) -> Int {
      guard place + width <= value.count else { return 0 }
      return (0..<width).reduce(0) { $0 | Int(value[place + $1]) << (8 * $1) }
    }
    let count = min(number(16, 2), 1_000)
    var place = 24 + 8 * count
    for index in 0..<count {
      let (column, size) = (number(24 + 8 * index, 2), number(28 + 8 * index, 4))
      guard size >= 8, place + size <= value.count else { return }
      let seed = classID << 48 | UInt64(number(8, 4)) << 16 | UInt64(column)
      value.replaceSubrange(place..<place + 8, with: sum(value[place + 8..<place + size], seed))
      place += size
    }
  }

  // MARK: - Log

  private func log(_ value: inout [UInt8], _ version: UInt64) {
    var place = 21
    for _ in 0..<2 {
      var (length, shift) = (0, 0)
      while place < value.count, shift < 56 {
        length |= Int(value[place] & 0x7F) << shift
        shift += 7
        place += 1
        if value[place - 1] < 0x80 { break }
      }
      guard length <= value.count - place else { return }
      place += length
    }
    guard place + 8 <= value.count else { return }
    value.replaceSubrange(place..<place + 8, with: bytes(Self.logSum(value[..<place], version)))
  }

  private static func logSum(_ value: ArraySlice<UInt8>, _ version: UInt64) -> UInt64 {
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    func mix(_ value: UInt64) -> UInt64 {
      let product = value.multipliedFullWidth(by: multiplier)
      return (product.high ^ product.low) &+ (value << 31 | value >> 33)
    }
    var state = version &* multiplier ^ UInt64(value.count)
    var place = 0
    while place + 8 <= value.count {
      let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(value[place + $1]) << UInt64(8 * $1) }
      state = mix(state ^ word)
      place += 8
    }
    return mix(state ^ value[place...].reduce(0) { $0 << 8 | UInt64($1) })
  }
}
