import Foundation
import TestBasics
import Testing

@testable import LarderRealmFile

/// Damaged files give values or an error, never a crash, and after bounded work. `LARDER_REALM_DAMAGES` says how many are tried.
@Suite struct RealmFileFuzzTests {
  private static let parts = 4

  private static var cases: Int {
    ProcessInfo.processInfo.environment["LARDER_REALM_DAMAGES"].flatMap { Int($0) } ?? 500
  }

  @Test(arguments: 0..<parts) func damagedFilesAreReadOrRefused(part: Int) throws {
    var random = SeededRandom.forTest("part \(part) of damagedFilesAreReadOrRefused")
    for _ in 0..<part { _ = random.next() }
    random = SeededRandom(seed: random.next())
    let sources = try DamageSource.all()
    let directory = try TemporaryDirectory("realm-damage")
    let (path, key) = (directory.file("damaged.realm"), try Sample.key("encrypted.key"))
    var (read, refused) = (0, 0)
    for number in 0..<Self.cases / Self.parts {
      let source = random.pick(sources)
      var bytes = source.content
      for _ in 0..<random.int(1...3) { source.damage(&bytes, &random) }
      if source.isEncrypted {
        bytes = PageSealing.file(bytes, key: key)
        if random.oneIn(4) { source.flip(&bytes, &random) }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        try Exhaustive(RealmFile(fileURL: URL(fileURLWithPath: path), encryptionKey: source.isEncrypted ? key : nil))
          .run()
        read += 1
      } catch let error as RealmFileError {
        #expect(!error.message.isEmpty)
        refused += 1
      } catch {
        Issue.record("case \(number) of part \(part), \(source.name): \(error)")
      }
    }
    // Damage hits padding or a value at times, but never always or never.
    if Self.cases >= 200 { #expect(read > 0 && refused > 0) }
  }
}

/// Reads all that a file has.
private struct Exhaustive {
  let file: RealmFile

  init(_ file: RealmFile) { self.file = file }

  func run() throws {
    var elements = 0
    for objectClass in file.classes {
      let count = try file.objectCount(of: objectClass)
      var found = 0
      try file.forEachCluster(of: objectClass) { cluster in
        found += cluster.keys.count
        for index in objectClass.properties.indices {
          let column = try cluster.values(of: index)
          #expect(column.count == cluster.keys.count)
          for row in 0..<column.count { try follow(column[row], &elements) }
        }
      }
      #expect(found == count)
    }
    let size = file.contents.context.source.size
    #expect(elements <= 64 * (2 * size + 4_096) * max(1, file.classes.count))
    _ = try file.verifyLinks()
  }

  private func follow(_ value: RealmFileValue, _ elements: inout Int) throws {
    elements += 1
    switch value {
    case .link(let link): _ = try file.object(of: file.classes[link.classIndex], key: link.key)
    case .list(let values), .set(let values): for value in values { try follow(value, &elements) }
    case .dictionary(let entries): for entry in entries { try follow(entry.value, &elements) }
    case .decimal(let number): #expect(!number.description.isEmpty)
    default: break
    }
  }
}

/// A sound file, and what can be done to it.
private struct DamageSource {
  let name: String
  let content: [UInt8]
  let isEncrypted: Bool
  /// The offsets of nodes.
  private let nodes: [Int]

  init(_ name: String, _ content: [UInt8], isEncrypted: Bool = false) {
    self.name = name
    self.content = content
    self.isEncrypted = isEncrypted
    nodes = stride(from: 24, to: content.count - 8, by: 8).filter { content[$0..<$0 + 4].allSatisfy { $0 == 0x41 } }
  }

  /// Small ones more often, as each of the large ones takes as long as a hundred of them.
  static func all() throws -> [DamageSource] {
    func sample(_ name: String) throws -> DamageSource { DamageSource(name, try Sample.bytes("\(name).realm")) }
    let small = [
      try sample("schema-version"), DamageSource("built", BuiltFile.bytes(format: 24)),
      DamageSource("earlier", BuiltFile.bytes(format: 22)),
    ]
    let encrypted = DamageSource("encrypted", try Sample.bytes("schema-version.realm"), isEncrypted: true)
    var sources: [DamageSource] = []
    for _ in 0..<40 { sources += small + [encrypted] }
    for _ in 0..<12 { sources.append(try sample("graph")) }
    sources += try ["types", "collections", "compacted", "large", "empty"].map(sample)
    return sources
  }

  func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard bytes.count > 64 else { return }
    switch random.int(0...9) {
    case 0, 1: flip(&bytes, &random)
    case 2, 3: header(&bytes, &random)
    case 4, 5, 6: element(&bytes, &random)
    case 7: bytes[random.int(0..<24)] = UInt8(truncatingIfNeeded: random.next())
    case 8:
      if random.oneIn(3) { bytes.removeLast(random.int(1..<bytes.count)) } else { flip(&bytes, &random) }
    default: splice(&bytes, &random)
    }
  }

  func flip(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<random.int(1...3) {
      // Most bytes of a file are of no node that is used.
      let near = random.oneIn(3) ? random.int(0..<bytes.count) : random.pick(nodes) + random.int(0...40)
      guard near < bytes.count else { continue }
      bytes[near] ^= 1 << UInt8(random.int(0...7))
    }
  }

  /// Changes flags or the number of elements of a node.
  private func header(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let node = random.pick(nodes)
    guard node + 8 <= bytes.count else { return }
    switch random.int(0...3) {
    case 0: bytes[node + 4] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes[node + 4] ^= 1 << UInt8(random.int(0...7))
    case 2: bytes[node + 7] = random.pick([0, 1, 2, 3, 4, 6, 127, 128, 255])
    default: bytes[node + random.int(5...7)] = UInt8(truncatingIfNeeded: random.next())
    }
  }

  /// Changes an element: to a reference to another node, or to a number.
  private func element(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let width = random.pick([1, 2, 2, 2, 4, 4, 8])
    let place = random.pick(nodes) + 8 + width * random.int(0...12)
    guard place + width <= bytes.count else { return }
    let value: Int64
    switch random.int(0...5) {
    case 0: value = random.anyInt64()
    case 1: value = Int64(random.int(0..<bytes.count)) & ~7
    case 2: value = Int64(random.int(0...300))
    default: value = Int64(random.pick(nodes))
    }
    for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> Int64(8 * index)) }
  }

  /// Copies some bytes from elsewhere in the file.
  private func splice(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let size = min(random.pick([8, 16, 64, 512, 4_096]), bytes.count / 2)
    let (from, to) = (random.int(0...bytes.count - size) & ~7, random.int(0...bytes.count - size) & ~7)
    bytes.replaceSubrange(to..<to + size, with: Array(bytes[from..<from + size]))
  }
}
