import Foundation
import TestSupport
import Testing

@testable import LarderLMDB

/// Tests that what sound pages hold is read, whatever became of the others.
@Suite("Page repair")
struct PageRepairTests {
  private static let page = 4_096
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("data")
  }

  /// Two tables of several levels, of which each value tells its table and key: 4,000 small values, every hundredth on pages of its own.
  private func fill() throws -> [UInt8] {
    let environment = try openEnvironment(directory)
    try environment.write { transaction in
      for table in ["a", "b"] {
        for key in UInt64(0)..<4_000 {
          let size = key % 100 == 0 ? 6_000 : 100
          try transaction.put(environment.table(table), KeyBytes(key), Self.value(table, key, size))
        }
      }
    }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func value(_ table: String, _ key: UInt64, _ size: Int) -> [UInt8] {
    let head = Array(table.utf8) + withUnsafeBytes(of: key.bigEndian) { Array($0) }
    return head + [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: size - head.count)
  }

  private static func isProven(_ table: String, _ key: ByteView, _ value: ByteView) -> Bool {
    value.count > 9 && Array(value.bytes.prefix(9)) == Array(table.utf8) + key.bytes
  }

  /// Returns the place of each entry, read without the code that is tested: its leaf page and the pages of its value.
  private func places(_ content: [UInt8]) -> [String: Set<Int>] {
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(content[offset + $1]) << ($1 * 8) }
    }
    var result: [String: Set<Int>] = [:]
    for page in 2..<content.count / Self.page where number(page * Self.page, 8) == page {
      let start = page * Self.page
      guard number(start + 10, 2) == 2 else { continue }
      for index in 0..<(number(start + 12, 2) - 16) / 2 {
        let node = start + number(start + 16 + index * 2, 2)
        let (flags, keySize) = (number(node + 4, 2), number(node + 6, 2))
        guard keySize == 8, flags < 2 else { continue }
        var pages: Set<Int> = [page]
        var value = node + 16
        if flags == 1 {
          let first = number(value, 8)
          pages.formUnion(first...first + 1)
          value = first * Self.page + 16
        }
        guard [0x61, 0x62].contains(content[value]), content[value + 1..<value + 9] == content[node + 8..<node + 16]
        else { continue }
        result["\(Character(UnicodeScalar(content[value])))\(number(node + 14, 1) << 8 | number(node + 15, 1))"] = pages
      }
    }
    return result
  }

  /// Returns what is read of the file: table and key, and true if the value is the right one.
  private func repaired() throws -> (entries: [String: Bool], faults: Int, strays: Int) {
    var repair = try PageRepair(path: path, tables: ["a", "b"], clock: "a")
    var entries: [String: Bool] = [:]
    func take(_ table: String, _ key: ByteView, _ value: ByteView) {
      guard key.count == 8, value.count > 9 else { return }
      let number: UInt64 = key.loadBigEndian(0)
      entries["\(table)\(number)"] = value.bytes == Self.value(table, number, value.count)
    }
    try repair.readTrees(take)
    let strays = try repair.readStrays(of: ["a", "b"], isProven: Self.isProven, take)
    return (entries, repair.faultCount, strays)
  }

  @Test("a sound file is read whole")
  func sound() throws {
    let places = places(try fill())
    let found = try repaired()
    #expect(places.count == 8_000)
    #expect(found.entries.count == 8_000 && found.entries.values.allSatisfy { $0 })
    #expect(found.faults == 0 && found.strays == 0)
  }

  @Test(
    "every entry whose pages are undamaged is read, with its value: pages become zero or noise, change places, and the end is cut off"
  )
  func damage() throws {
    let good = try fill()
    let places = places(good)
    try #require(places.count == 8_000)
    let pages = good.count / Self.page
    var random = SeededRandom.forTest()
    for round in 0..<30 {
      var content = good
      var damaged: Set<Int> = []
      for _ in 0..<random.int(1...6) {
        let (page, other) = (random.int(2..<pages), random.int(2..<pages))
        let range = page * Self.page..<(page + 1) * Self.page
        switch round % 3 {
        case 0: content.replaceSubrange(range, with: [UInt8](repeating: 0, count: Self.page))
        case 1: content.replaceSubrange(range, with: random.bytes(count: Self.page))
        default:
          let second = other * Self.page..<(other + 1) * Self.page
          let left = Array(content[range])
          content.replaceSubrange(range, with: Array(content[second]))
          content.replaceSubrange(second, with: left)
          damaged.insert(other)
        }
        damaged.insert(page)
      }
      if round % 2 == 0 {
        let end = random.int(pages * 3 / 4..<pages)
        content = Array(content[..<(end * Self.page + random.int(0..<Self.page))])
        damaged.formUnion(end..<pages)
      }
      try Data(content).write(to: URL(fileURLWithPath: path))
      let found = try repaired()
      // The second page of a value has neither a number nor a checksum at this level.
      let wrong = found.entries.filter { !$0.value && places[$0.key]?.isDisjoint(with: damaged) ?? true }
      #expect(wrong.isEmpty, "round \(round)")
      let lost = places.filter { $0.value.isDisjoint(with: damaged) && found.entries[$0.key] == nil }
      #expect(lost.isEmpty, "round \(round), pages \(damaged.sorted()): \(lost.count) lost: \(lost.prefix(5))")
    }
  }

  @Test("without both meta pages, and without any branch page, all leaves are found by what they hold")
  func withoutTrees() throws {
    var content = try fill()
    content.replaceSubrange(0..<2 * Self.page, with: [UInt8](repeating: 0, count: 2 * Self.page))
    for page in 2..<content.count / Self.page where content[page * Self.page + 10] == 1 {
      content.replaceSubrange(page * Self.page..<(page + 1) * Self.page, with: [UInt8](repeating: 0, count: Self.page))
    }
    try Data(content).write(to: URL(fileURLWithPath: path))
    let found = try repaired()
    #expect(found.entries.count == 8_000 && found.entries.values.allSatisfy { $0 })
    #expect(found.faults > 0 && found.strays > 100)
  }

  @Test("pages of an older version that are free are not taken for lost ones")
  func olderVersions() throws {
    _ = try fill()
    do {
      let environment = try openEnvironment(directory)
      // Everything is rewritten, and deleted: what is left in the file is free.
      for _ in 0..<2 {
        try environment.write { transaction in
          for key in UInt64(0)..<4_000 where key % 2 == 0 {
            try transaction.delete(environment.table("a"), KeyBytes(key))
          }
        }
      }
    }
    var content = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    // Every branch page of every version becomes zero.
    for page in 2..<content.count / Self.page where content[page * Self.page + 10] == 1 {
      content.replaceSubrange(page * Self.page..<(page + 1) * Self.page, with: [UInt8](repeating: 0, count: Self.page))
    }
    try Data(content).write(to: URL(fileURLWithPath: path))
    let found = try repaired()
    #expect(found.entries.count == 6_000 && found.entries.values.allSatisfy { $0 })
    #expect(found.entries.keys.allSatisfy { $0.hasPrefix("b") || (Int($0.dropFirst()) ?? 0) % 2 == 1 })
  }

  @Test("all faults are reported, not the first alone")
  func faults() throws {
    var content = try fill()
    let used = Set(places(content).values.flatMap { $0 })
    let leaves = (2..<content.count / Self.page).filter { content[$0 * Self.page + 10] == 2 && used.contains($0) }
    for page in leaves.prefix(3) { content[page * Self.page + 10] = 0x40 }
    try Data(content).write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try openEnvironment(directory) } == .damaged)
    var repair = try PageRepair(path: path, tables: ["a", "b"], clock: "a")
    try repair.findFaults()
    for page in leaves.prefix(3) {
      #expect(
        repair.faults.contains { $0.detail == "page \(page): its kind 64 is not that of a tree page" },
        "\(repair.faults)")
    }
  }

  @Test("whatever the bytes are, reading ends and gives values of the file")
  func anything() throws {
    let good = try fill()
    let places = places(good)
    var random = SeededRandom.forTest()
    for round in 0..<25 {
      var content = good
      var damaged: Set<Int> = []
      for _ in 0..<random.int(1...200) {
        let page = random.int(0..<content.count / Self.page)
        // The heads of pages and of their entries are hit most.
        let place = page * Self.page + random.int(0..<(random.oneIn(2) ? 200 : Self.page))
        content[place] = UInt8(random.int(0...255))
        damaged.insert(page)
      }
      if random.oneIn(3) {
        let end = random.int(2 * Self.page..<content.count)
        content = Array(content[..<end])
        damaged.formUnion(end / Self.page..<good.count / Self.page)
      }
      try Data(content).write(to: URL(fileURLWithPath: path))
      let found = try repaired()
      // A damaged branch may lead to a page of the other table, which is lost then; hardly more. Damaged meta pages may show the version
      // before, which has no entries.
      let lost = places.count { $0.value.isDisjoint(with: damaged) && found.entries[$0.key] != true }
      #expect(lost < 400 || !damaged.isDisjoint(with: [0, 1]), "round \(round)")
    }
  }
}
