import Foundation
@testable import LarderLMDB
import TestSupport
import Testing

/// Files that LMDB would die of, and what is said about them instead.
@Suite("Preflight")
struct PreflightTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("data")
  }

  /// A database of several versions, with inline and overflow values and a free list.
  private func fill() throws {
    let environment = try openEnvironment(directory)
    for round in 0..<3 {
      try environment.store(0..<300, size: 100 + round, fill: UInt8(round))
      try environment.store(1000..<1050, size: 9000, fill: UInt8(round))
    }
    try environment.write { for key in UInt64(1000)..<1020 { try $0.delete(environment.table("a"), KeyBytes(key)) } }
  }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func replace(_ change: (inout [UInt8]) throws -> Void) throws {
    var content = try bytes()
    try change(&content)
    try Data(content).write(to: URL(fileURLWithPath: path))
  }

  /// The code with which opening fails; the file must stay as it is.
  private func openingCode(
    _ change: (inout EnvironmentOptions) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LMDBError.Code? {
    let before = try bytes()
    let failure = error(sourceLocation: sourceLocation) { _ = try openEnvironment(directory, "data", change) }
    #expect(try bytes() == before, sourceLocation: sourceLocation)
    #expect(failure?.detail.contains(path) ?? false, "\(failure?.detail ?? "")", sourceLocation: sourceLocation)
    return failure?.code
  }

  /// Offset of the newest meta page.
  private func newestMeta(_ content: [UInt8]) -> Int {
    let ids = [144, 4096 + 144].map { offset in (0..<8).reduce(0) { $0 | Int(content[offset + $1]) << ($1 * 8) } }
    return ids[0] < ids[1] ? 4096 : 0
  }

  // MARK: - No database

  @Test("F-16: a file without a byte is no database and stays as it is, for readers and for writers")
  func empty() throws {
    try directory.write("", to: "data")
    #expect(try openingCode { $0.readOnly = true } == .notADatabase)
    let failure = error { _ = try openEnvironment(directory) }
    #expect(failure?.code == .notADatabase)
    #expect(failure?.detail.contains("delete it to have a new store made") ?? false)
    #expect(fileSize(directory.file("data")) == 0 && fileSize(directory.file("data-lock")) == -1)
  }

  @Test("F-16: a new file gets its name when it is a database, and what a killed first open left is finished")
  func halfMade() throws {
    try NewDataFile.make(directory.file("data"))
    #expect(fileSize(directory.file("data")) == 2 * 4096 && mode(directory.file("data")) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["data"])
    // Killed here, it has neither tables nor a lock file.
    try openEnvironment(directory).store([1])
    #expect(try openEnvironment(directory).beginRead().count == 1)
    // Killed before the name was given, the next one clears away what is left.
    let worker = try WorkerProcess("LMDBWorker", ["hold-unfinished", directory.file("data")])
    #expect(worker.readLine() == "ready")
    worker.kill()
    _ = try openEnvironment(directory, "other")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names.sorted() == ["data", "data-lock", "other", "other-lock"])
  }

  @Test("short, zeroed, random and text files are no databases", arguments: [1, 100, 151, 4095, 8191, 8192, 100_000])
  func foreign(_ size: Int) throws {
    var random = SeededRandom.forTest()
    for content in [[UInt8](repeating: 0, count: size), random.bytes(count: size), Array(repeating: 0x41, count: size)]
    {
      try directory.write(content, to: "data")
      #expect(try openingCode() == .notADatabase)
    }
  }

  @Test("an SQLite file and a file of the other byte order")
  func otherFormats() throws {
    try directory.write("SQLite format 3\0" + String(repeating: "x", count: 10_000), to: "data")
    #expect(try openingCode() == .notADatabase)
    unlink(path)
    try fill()
    try replace { $0.replaceSubrange(16..<20, with: [0xBE, 0xEF, 0xC0, 0xDE]) }
    #expect(try openingCode() == .notADatabase)
  }

  @Test("another data version")
  func version() throws {
    try fill()
    // F-6: one of two that differ is damaged.
    try replace { $0[20] = 2 }
    #expect(try openingCode() == .damaged)
    try replace { $0[4096 + 20] = 2 }
    #expect(try openingCode() == .versionMismatch)
  }

  @Test("pipes, directories and links that lead nowhere or in a circle are refused at once in the file's place")
  func specialFiles() throws {
    try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: false)
    #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "link")
    try FileManager.default.createSymbolicLink(atPath: directory.file("dangling"), withDestinationPath: "none")
    for name in ["folder", "pipe", "link", "dangling"] {
      #expect(code { _ = try openEnvironment(directory, name) } == .notARegularFile, "\(name)")
    }
    #expect(fileSize(directory.file("none")) == -1)
  }

  // MARK: - Meta pages

  @Test("page sizes that would divide by zero or make no sense", arguments: [0, 1, 100, 3000, 65_536])
  func pageSize(_ size: Int) throws {
    try fill()
    try replace { content in
      for meta in [0, 4096] {
        for byte in 0..<4 { content[meta + 40 + byte] = UInt8(truncatingIfNeeded: size >> (byte * 8)) }
      }
    }
    #expect(try openingCode() == .damaged)
  }

  @Test("one wrecked meta page of the two", arguments: [0, 4096])
  func wreckedMeta(_ offset: Int) throws {
    try fill()
    try replace { $0.replaceSubrange(offset..<offset + 4096, with: [UInt8](repeating: 0, count: 4096)) }
    #expect(try openingCode() == .notADatabase)
  }

  @Test("roots, depth and last page that point nowhere")
  func wildRecords() throws {
    try fill()
    let good = try bytes()
    let meta = newestMeta(good)
    // Root of the main table is page 1; a depth of 200; a last page of 2^40; a root after the last page; a version of
    // more than 2^63.
    let faults: [(Int, [UInt8])] = [
      (128, [1, 0, 0, 0, 0, 0, 0, 0]), (94, [200, 0]), (136, [0, 0, 0, 0, 0, 1, 0, 0]),
      (80, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0]), (128, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0]),
      (136, [0, 0, 0, 0, 0, 0, 0, 0]), (150, [0, 0x80]),
    ]
    for (offset, value) in faults {
      var content = good
      content.replaceSubrange(meta + offset..<meta + offset + value.count, with: value)
      try Data(content).write(to: URL(fileURLWithPath: path))
      #expect(try openingCode() == .damaged, "offset \(offset)")
    }
    var sorted = good
    sorted[meta + 92] = 0x04
    try Data(sorted).write(to: URL(fileURLWithPath: path))
    #expect(try openingCode() == .notADatabase)
  }

  @Test("a pair of meta pages that two commits in a row do not leave is opened after reading every page")
  func unusualPair() throws {
    try fill()
    let old = 4096 - newestMeta(try bytes())
    try replace { $0.replaceSubrange(old + 144..<old + 152, with: [UInt8](repeating: 0, count: 8)) }
    let report = try EnvironmentPreflight.examine(path: path, options: EnvironmentOptions(tables: []))
    #expect(report.census != nil)
    try openEnvironment(directory).store([9999])
    #expect(try openEnvironment(directory).beginRead().count == 331)
  }

  // MARK: - Length

  @Test("a file cut off at any page is truncated, not a signal")
  func truncated() throws {
    try fill()
    let whole = try bytes()
    var random = SeededRandom.forTest()
    for _ in 0..<12 {
      let pages = random.int(2..<whole.count / 4096)
      try Data(whole[..<(pages * 4096 + random.int(0..<4096))]).write(to: URL(fileURLWithPath: path))
      do {
        let environment = try openEnvironment(directory)
        // Legal when only free pages are missing: then everything is there.
        #expect(try environment.beginRead().count == 330)
        _ = try environment.checkPages()
      } catch let error as LMDBError {
        #expect(error.code == .truncated)
      }
    }
    try Data(whole[..<8192]).write(to: URL(fileURLWithPath: path))
    #expect(try openingCode() == .truncated)
  }

  @Test("a file whose last pages were allocated and freed unwritten is legal, and is made whole")
  func freeTail() throws {
    let environment = try openEnvironment(directory)
    try environment.store(0..<10)
    // Pages taken in one transaction and freed in the same one are never written.
    try environment.write { transaction in
      for key in UInt64(100)..<200 {
        try transaction.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: 1, count: 4000))
      }
      for key in UInt64(100)..<200 { try transaction.delete(environment.table("a"), KeyBytes(key)) }
    }
    let needed = environment.usedBytes
    let copy = directory.file("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let report = try EnvironmentPreflight.examine(path: copy, options: EnvironmentOptions(tables: []))
    #expect(report.neededBytes == UInt64(needed))
    if report.fileSize < report.neededBytes {
      #expect(try openEnvironment(directory, "copy").beginRead().count == 10)
      #expect(fileSize(copy) == needed)
    }
  }

  // MARK: - Every page

  @Test("the walk accepts what LMDB writes and counts every page")
  func census() throws {
    let environment = try openEnvironment(directory)
    var random = SeededRandom.forTest()
    for _ in 0..<40 {
      try environment.write { transaction in
        for _ in 0..<60 {
          let key = KeyBytes(bytes: random.bytes(count: random.int(1...40)))
          try transaction.put(
            environment.table(random.oneIn(2) ? "a" : "b"), key, random.bytes(count: random.int(0...9000)))
          if random.oneIn(3), let entry = try transaction.cursor(environment.table("a")).seek(key) {
            try transaction.delete(environment.table("a"), KeyBytes(bytes: entry.key.bytes))
          }
        }
      }
      let census = try environment.checkPages()
      let snapshot = try environment.beginRead()
      #expect(census.transactionID == snapshot.transactionID)
      #expect(census.unreachablePages == 0)
      #expect((census.usedPages + census.freePages) * census.pageSize == environment.usedBytes)
      #expect(census.freePages == (try snapshot.freePages()))
    }
  }

  @Test("no damage of a page crashes or hangs the walk, and swapped and zeroed pages in use are found")
  func damage() throws {
    let environment = try openEnvironment(directory)
    for step in UInt64(1)...7 { try environment.store(stride(from: 0, to: 4000, by: Int(step)).map { UInt64($0) }) }
    try environment.store(5000..<5020, size: 5000)
    let good = try bytes()
    let reference = try EnvironmentPreflight.examine(path: path, options: everyPage)
    var random = SeededRandom.forTest()
    var found = 0
    for round in 0..<120 {
      var content = good
      damagePage(&content, kind: round % 6, &random)
      try Data(content).write(to: URL(fileURLWithPath: path))
      do {
        let report = try EnvironmentPreflight.examine(path: path, options: everyPage)
        // What was hit is free, or is data that only the checksums above can judge.
        #expect(report.census?.usedPages == reference.census?.usedPages)
      } catch let error as LMDBError {
        #expect([.damaged, .truncated, .notADatabase, .versionMismatch].contains(error.code), "\(error)")
        found += 1
      }
    }
    #expect(found > 30)
    withExtendedLifetime(environment) {}
  }

  private var everyPage: EnvironmentOptions {
    var options = EnvironmentOptions(tables: ["a", "b"])
    options.inspection = .everyPage
    return options
  }

  private func damagePage(_ content: inout [UInt8], kind: Int, _ random: inout SeededRandom) {
    let pages = content.count / 4096
    let start = random.int(2..<pages) * 4096
    switch kind {
    case 0: content[random.int(8192..<content.count)] ^= 1 << UInt8(random.int(0...7))
    case 1: content[start + random.int(0..<64)] = UInt8(random.int(0...255))
    case 2:
      let sector = start + random.int(0..<8) * 512
      content.replaceSubrange(sector..<sector + 512, with: [UInt8](repeating: 0, count: 512))
    case 3: content.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
    case 4:
      let other = random.int(2..<pages) * 4096
      let page = Array(content[start..<start + 4096])
      content.replaceSubrange(start..<start + 4096, with: Array(content[other..<other + 4096]))
      content.replaceSubrange(other..<other + 4096, with: page)
    default: content.replaceSubrange(start..<start + 4096, with: random.bytes(count: 4096))
    }
  }

  @Test("a page that the tree uses twice, or that is also free, is found")
  func sharedPage() throws {
    let environment = try openEnvironment(directory)
    try environment.store(0..<1000, size: 100)
    let census = try environment.checkPages()
    #expect(census.usedPages > 20)
    var found = false
    try replace { content in
      // The root of table "a" is the branch page with the most entries: let its second child be its first one.
      for page in stride(from: 8192, to: content.count, by: 4096) where content[page + 10] == 0x01 {
        let first = Int(content[page + 16]) | Int(content[page + 17]) << 8
        let second = Int(content[page + 18]) | Int(content[page + 19]) << 8
        content.replaceSubrange(
          page + second..<page + second + 4, with: Array(content[page + first..<page + first + 4]))
        found = true
      }
    }
    #expect(found)
    let failure = error { _ = try environment.checkPages() }
    #expect(failure?.code == .damaged)
    #expect(failure?.detail.contains("used twice") ?? false, "\(failure?.detail ?? "")")
  }

  @Test("a branch whose key leads searches past entries that are there is found", arguments: [-1, 1])
  func misleadingBranch(_ change: Int) throws {
    let environment = try openEnvironment(directory)
    try environment.store((0..<1000).map { $0 << 8 | 0x80 }, size: 100)
    _ = try environment.checkPages()
    var found = false
    try replace { content in
      for page in stride(from: 8192, to: content.count, by: 4096) where content[page + 10] == 0x01 {
        let node = page + (Int(content[page + 18]) | Int(content[page + 19]) << 8)
        // The byte before the last of a key of eight: the neighbour's entry, and still in order.
        content[node + 8 + 6] = UInt8(truncatingIfNeeded: Int(content[node + 8 + 6]) + change)
        found = true
      }
    }
    #expect(found)
    let failure = error { _ = try environment.checkPages() }
    #expect(failure?.code == .damaged)
    #expect(failure?.detail.contains("not those") ?? false, "\(failure?.detail ?? "")")
  }

  @Test("an entry whose size is not true, but stays within the page, is found before LMDB moves others by it")
  func untrueSize() throws {
    let environment = try openEnvironment(directory)
    try environment.store(0..<200, size: 40)
    _ = try environment.checkPages()
    var pages = 0
    let good = try bytes()
    for page in stride(from: 8192, to: good.count, by: 4096) where good[page + 10] == 0x02 && good[page + 12] > 18 {
      let node = page + (Int(good[page + 18]) | Int(good[page + 19]) << 8)
      for size in [38, 41, 72] where good[node] == 40 {
        var content = good
        content[node] = UInt8(size)
        try Data(content).write(to: URL(fileURLWithPath: path))
        let isFound = (try? EnvironmentPreflight.examine(path: path, options: everyPage)) == nil
        // Pages of older versions belong to no tree.
        pages += isFound ? 1 : 0
      }
    }
    #expect(pages >= 3 && pages % 3 == 0)
    withExtendedLifetime(environment) {}
  }

  @Test("of a large file the trees are looked at when it is opened, and values on pages of their own by the check")
  func largeFile() throws {
    try openEnvironment(directory).store(0..<1_100, size: 36_000)
    let good = try bytes()
    #expect(good.count > 32 << 20)
    func open(changing place: Int) throws -> LMDBError? {
      var content = good
      content[place] ^= 0x40
      try Data(content).write(to: URL(fileURLWithPath: path))
      return error { _ = try openEnvironment(directory, "data").checkPages() }
    }
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(good[place + $1]) << ($1 * 8) }
    }
    // What is inside of a value does not begin with its own number.
    let pages = stride(from: 8192, to: good.count, by: 4096).filter { number($0, 8) == $0 / 4096 }
    let leaf = try #require(pages.first { good[$0 + 10] == 0x02 && number($0 + 12, 2) > 100 })
    let branch = try #require(pages.first { good[$0 + 10] == 0x01 })
    for place in [leaf + 12, leaf + 18, branch + 18] {
      let failure = try open(changing: place)
      #expect(failure?.code == .damaged, "\(String(describing: failure))")
    }
    let run = try #require(pages.first { good[$0 + 10] == 0x04 })
    let failure = try open(changing: run + 10)
    #expect(failure?.operation == "page walk" && failure?.detail.contains("head of an overflow run") ?? false)
  }

  @Test("a file on a network file system is refused by name, unless that is asked for")
  func network() throws {
    try fill()
    var options = EnvironmentOptions(tables: [])
    let failure = error {
      _ = try EnvironmentPreflight.examine(path: path, options: options) { _ in "NFS" }
    }
    #expect(failure?.code == .networkFileSystem)
    #expect(failure?.detail.contains("NFS") ?? false)
    options.allowsNetworkFileSystem = true
    _ = try EnvironmentPreflight.examine(path: path, options: options) { _ in "NFS" }
  }

  #if os(Linux)
    @Test("local file systems are distinguished from network ones")
    func fileSystems() throws {
      #expect(networkFileSystemNames[0x6969] == "NFS")
      let file = open(directory.path, O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      #expect(networkFileSystem(of: file) == nil)
    }
  #endif
}
