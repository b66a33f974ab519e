import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The repair of files whose newest roots, catalog or end are damaged, and of files that are no store.
@Suite struct RepairedVersionTests {
  private static let page = 4_096

  /// A store of several versions, each with one object more; gives back its file and the newest version.
  private func make(_ path: String) throws -> (bytes: Data, version: UInt64) {
    try SoundStore.make(path)
    for _ in 0..<3 {
      let writer = try StoreAccess.open(writing: path).beginWrite()
      let plain = try #require(writer.schema["Plain"])
      _ = try writer.create(plain.id)
      try writer.commit()
    }
    let version = try StoreAccess.open(reading: path).snapshot().version
    return (try Data(contentsOf: URL(fileURLWithPath: path)), version)
  }

  private func plainObjects(_ path: String) throws -> Int {
    let snapshot = try StoreAccess.open(reading: path).snapshot()
    return try snapshot.count(of: try #require(snapshot.schema["Plain"]).id)
  }

  /// The first page of the newest version: the number of its transaction is greater.
  private func newestMeta(_ bytes: Data) -> Int {
    func number(_ page: Int) -> UInt64 {
      bytes.dropFirst(page * Self.page + 144).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    return number(0) > number(1) ? 0 : 1
  }

  @Test(
    "F-6: a newer first page that is damaged anywhere is still the one that is read",
    arguments: [10, 16, 20, 40, 44, 46, 80, 88, 92, 94, 96, 104, 120, 128, 136])
  func newerRoots(place: Int) throws {
    try withTemporaryDirectory { directory in
      var (bytes, _) = try make(directory.file("a.larder"))
      let start = newestMeta(bytes) * Self.page + place
      bytes[start] ^= 0x55
      bytes[start + 1] ^= 0xAA
      let (broken, saved) = (directory.file("b.larder"), directory.file("c.larder"))
      try bytes.write(to: URL(fileURLWithPath: broken))
      let result = try larder("repair", broken, "--into", saved)
      #expect([0, 1].contains(result.status), "\(result)")
      #expect(try plainObjects(saved) == 19, "\(result.output)")
      try expectLarder("check", saved, "--deep", "--quiet")
    }
  }

  @Test("F-6: with the newest roots lost, the older version is taken and told, with both versions and exit code 1")
  func olderRoots() throws {
    try withTemporaryDirectory { directory in
      var (bytes, version) = try make(directory.file("a.larder"))
      let meta = newestMeta(bytes)
      let root = bytes.dropFirst(meta * Self.page + 128).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      for page in [meta, root] {
        bytes.replaceSubrange(page * Self.page..<(page + 1) * Self.page, with: Data(count: Self.page))
      }
      let (broken, saved) = (directory.file("b.larder"), directory.file("c.larder"))
      try bytes.write(to: URL(fileURLWithPath: broken))
      let result = try larder("repair", broken, "--into", saved)
      #expect(result.status == 1, "\(result)")
      #expect(
        result.output.contains("older: ") && result.output.contains("version \(version), then version \(version - 1)"),
        "\(result.output)")
      #expect(try plainObjects(saved) == 18)
      try expectLarder("check", saved, "--deep", "--quiet")
    }
  }

  @Test("F-6: an older catalog is reported, with both versions and exit code 1")
  func olderCatalog() throws {
    try withTemporaryDirectory { directory in
      var (bytes, version) = try make(directory.file("a.larder"))
      let number = withUnsafeBytes(of: version.littleEndian) { Data($0) }
      for start in stride(from: 2 * Self.page, to: bytes.count - Self.page + 1, by: Self.page) {
        let page = bytes[start..<start + Self.page]
        guard let found = page.range(of: Data("state\0\0\0".utf8)), page[found.upperBound...].prefix(8) == number else {
          continue
        }
        bytes.replaceSubrange(start..<start + Self.page, with: Data(count: Self.page))
      }
      let (broken, saved) = (directory.file("b.larder"), directory.file("c.larder"))
      try bytes.write(to: URL(fileURLWithPath: broken))
      let result = try larder("repair", broken, "--into", saved)
      #expect(result.status == 1, "\(result)")
      #expect(
        result.output.contains("older: The catalog of version \(version - 1) was taken for that of version \(version)"),
        "\(result.output)")
      try expectLarder("check", saved, "--deep", "--quiet")
    }
  }

  @Test("F-48: of a file of holes nothing is read but what is there")
  func sparse() throws {
    try withTemporaryDirectory { directory in
      for (name, head) in [("zeros", Data()), ("text", Data("no store".utf8))] {
        let path = directory.file(name)
        try head.write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        // The largest that the file system allows, up to 5 TB.
        let sizes: [UInt64] = [5 << 40, 1 << 40, 64 << 30]
        #expect(sizes.contains { (try? file.truncate(atOffset: $0)) != nil })
        try file.close()
        for verb in [["check", path], ["repair", path, "--into", directory.file("new.larder")]] {
          let result = try WorkerProcess.run("larder", verb)
          #expect(result.status == 3 && result.errors.contains("not a valid database"), "\(result)")
        }
      }
    }
  }
}
