import Foundation
import Testing

/// What a newcomer reads first is complete; `.ci/check-first-hour` does what Getting started says.
@Suite("The first hour") struct FirstHourTests {
  private func text(_ file: String) throws -> String {
    try String(contentsOf: Documentation().root.appendingPathComponent(file), encoding: .utf8)
  }

  private func words(after prefix: String, in text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == "@" } }.filter { $0.hasPrefix(prefix) }
        .flatMap { $0.dropFirst(prefix.count).split(separator: " ").map(String.init) })
  }

  @Test("F-83: Getting started names the packages that the library and the tool need, and no others") func packages()
    throws
  {
    let page = try text("Sources/Larder/Larder.docc/GettingStarted.md")
    let named = words(after: "apt-get install ", in: page)
    #expect(named == words(after: "./.ci/install-deps liblmdb-dev", in: try text("Makefile")).union(["liblmdb-dev"]))
    // The first line is what a program needs that uses the library alone.
    let library = page.split(separator: "\n").first { $0.hasPrefix("apt-get install ") }
    #expect(library?.contains("libssl-dev") == true && library?.contains("zlib1g-dev") == false)
  }

  @Test(
    "F-86: moving from Realm tells what a program still has that does not work, and the line to write",
    arguments: [
      "catch let error as NSError", "RealmSwift.List", "@objc protocol", "inMemory", "only Objective-C's",
      "FoundationNetworking",
      "autoreleasepool", "Logger",
    ])
  func moving(from what: String) throws {
    let rows = try text("Sources/Larder/Larder.docc/MovingFromRealm.md").split(separator: "\n").filter {
      $0.hasPrefix("| ")
    }
    let row = try #require(rows.first { $0.contains(what) })
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells.count == 3 && cells.allSatisfy { !$0.isEmpty }, "\(row)")
  }
}
