import Foundation
import Testing

/// Checks that the pages a newcomer reads first are complete; `.ci/check-first-hour` does what Getting started says.
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

  @Test("F-149: the articles about Realm lead to synchronisation, and none says that there is none")
  func synchronisation() throws {
    for name in ["DifferencesFromRealm", "MovingFromRealm"] {
      let page = try text("Sources/Larder/Larder.docc/\(name).md")
      #expect(page.contains("<doc:Synchronisation>"), "\(name)")
      for wrong in ["stores are local", "Device sync, and everything"] { #expect(!page.contains(wrong), "\(name)") }
    }
  }

  @Test(
    "F-148: What App Services had is declared unavailable, with what takes its place",
    arguments: [
      "emailPasswordAuth", "apiKeysAuth", "functions", "customData", "refreshCustomData", "profile", "identities",
      "linkUser", "mongoClient", "pushClient", "events", "eventConfiguration", "EmailPasswordAuth", "APIKeyAuth",
      "UserAPIKey", "UserProfile", "Functions", "PushClient", "MongoClient", "MongoDatabase", "MongoCollection",
      "FindOptions", "FindOneAndModifyOptions", "UpdateResult", "ChangeStream", "ChangeEventDelegate", "AnyBSON",
      "Document", "PartitionValue", "Events", "EventConfiguration", "CustomEventRepresentable",
    ])
  func appServices(_ name: String) throws {
    let source = try ["AccountServices", "DatabaseServices"].map { try text("Sources/LarderSync/App/\($0).swift") }
      .joined()
    let lines = source.split(separator: "\n")
    let declaration = try Regex("public (var|func|struct|enum|protocol) \(name)\\b")
    let index = try #require(lines.firstIndex { $0.contains(declaration) })
    let above = lines[max(0, index - 4)..<index]
    #expect(above.contains { $0.contains("unavailable") } && above.contains { $0.contains("message: \"") })
  }

  @Test(
    "F-118: Running a server names the server's packages, the trait and a class; .ci/check-first-sync does what it says"
  )
  func firstServer() throws {
    let page = try text("Sources/Larder/Larder.docc/RunningAServer.md")
    let manifest = try text("Server/Package.swift")
    let named = words(after: "apt-get install ", in: page)
    for match in manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/) {
      #expect(named.contains(String(match.1)), "\(match.1)")
    }
    for part in ["traits: [\"Sync\"]", "export PATH=", "class City: Object {", "swift run Cities"] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(try text(".ci/run").contains(".ci/check-first-sync"))
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
