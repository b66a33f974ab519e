import LarderSyncProtocol

/// A frame with other numbers in place of its own: numbers at which types and counts end, and their neighbours.
struct NumberSweep {
  static let numbers: [UInt64] =
    [0, 1, 2, 127, 128, UInt64(UInt32.max), 1 << 48, UInt64(Int64.max), .max].flatMap { [$0 &- 1, $0, $0 &+ 1] }
    .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }

  private let body: [UInt8]
  private let site: SiteID?

  init(_ message: SyncMessage, site: SiteID?) throws {
    let frame = SyncFrame(message).encoded(site: site)
    var reader = ByteReader(frame)
    let length = try reader.varint()
    body = Array(frame.suffix(Int(length)))
    self.site = site
  }

  /// The messages that come of one number being another one, whatever the number is of.
  func singles() -> [SyncMessage] {
    var found: [SyncMessage] = []
    var seen: Set<SyncMessage> = []
    for offset in body.indices {
      for number in Self.numbers { add(mutated(body, offset, number), &found, &seen) }
    }
    return found
  }

  /// Returns as many messages, with two other numbers each, as are found among so many tries.
  func pairs(_ tries: Int, _ random: inout some RandomNumberGenerator) -> [SyncMessage] {
    var found: [SyncMessage] = []
    var seen: Set<SyncMessage> = []
    for _ in 0..<tries {
      let offsets = (0..<2).map { _ in Int.random(in: body.indices, using: &random) }.sorted(by: >)
      var bytes = body
      // The later one first, so that the offset of the other one stays.
      for offset in offsets {
        let number = Self.numbers.randomElement(using: &random) ?? 0
        bytes = mutated(bytes, offset, number, isFixed: Int.random(in: 0..<4, using: &random) == 0)[0]
      }
      add([bytes], &found, &seen)
    }
    return found
  }

  private func add(_ bodies: [[UInt8]], _ found: inout [SyncMessage], _ seen: inout Set<SyncMessage>) {
    for body in bodies {
      var writer = ByteWriter(capacity: body.count + 10)
      writer.count(body.count)
      writer.raw(body)
      guard let frame = try? SyncFrame(decoding: writer.bytes, site: site), seen.insert(frame.message).inserted else {
        continue
      }
      found.append(frame.message)
    }
  }

  /// The bytes with another number at an offset: one of a variable length, and one of eight bytes.
  private func mutated(_ bytes: [UInt8], _ offset: Int, _ number: UInt64) -> [[UInt8]] {
    mutated(bytes, offset, number, isFixed: false) + mutated(bytes, offset, number, isFixed: true)
  }

  private func mutated(_ bytes: [UInt8], _ offset: Int, _ number: UInt64, isFixed: Bool) -> [[UInt8]] {
    var writer = ByteWriter(capacity: bytes.count + 10)
    writer.raw(bytes[..<offset])
    if isFixed {
      guard offset + 8 <= bytes.count else { return [bytes] }
      writer.fixed64(number)
      writer.raw(bytes[(offset + 8)...])
    } else {
      let end = bytes[offset...].firstIndex { $0 < 0x80 } ?? bytes.count - 1
      writer.varint(number)
      writer.raw(bytes[(end + 1)...])
    }
    return [writer.bytes]
  }
}
