import Foundation
import TestSupport
import Testing

/// Every Swift example that a reader meets is a marked region of a file that is compiled, and run, here.
@Suite("Examples of the documentation") struct ExamplesTests {
  private let documentation = Documentation()

  @Test("every example in Swift is word for word a region of a compiled file")
  func examplesAreCompiled() throws {
    let regions = Set(try documentation.regions().map(\.text))
    let examples = try documentation.examples()
    #expect(examples.count > 40, "too few examples were found; are they still in fences marked swift?")
    for example in examples where !regions.contains(example.text) {
      Issue.record(
        """
        \(example.place): this example is no region of a file in Tests/DocumentationTests/Snippets. CONTRIBUTING.md says how to \
        add one.
        \(example.text)
        """)
    }
  }

  @Test("every region is an example somewhere")
  func regionsAreShown() throws {
    let examples = Set(try documentation.examples().map(\.text))
    for region in try documentation.regions() where !examples.contains(region.text) {
      Issue.record("\(region.place): no page shows the region '\(region.name)'.\n\(region.text)")
    }
  }

  @Test("every page that a page refers to is there")
  func linksLead() throws {
    for link in try documentation.links() where !link.leads {
      Issue.record("\(link.place): the link '\(link.target)' leads nowhere.")
    }
  }

  @Test("every command line of the pages runs, on stores such as the pages speak of")
  func commandsRun() throws {
    let commands = try documentation.commands()
    #expect(commands.count >= 4)
    for (page, lines) in commands {
      let directory = try TemporaryDirectory()
      try ShellLine.run("FirstProgram", in: directory)
      // What MovingFromRealm exports, and a sound store under the names of Operations.
      try directory.write(#"{"name": "Ada", "born": "1970-01-01T00:00:00Z"}"# + "\n", to: "Person.jsonl")
      try directory.write(
        #"{"id": "507f1f77bcf86cd799439011", "name": "Rex", "age": 3, "owner": "Ada"}"# + "\n", to: "Dog.jsonl")
      try FileManager.default.copyItem(
        atPath: "\(fixtures)/realm/schema-version.realm", toPath: directory.file("old.realm"))
      let key = try directory.write(String(repeating: "ab", count: 64), to: "new.key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      if !lines.contains(where: { $0.contains("--into store.larder") }) {
        for name in ["store.larder", "broken.larder"] {
          try FileManager.default.copyItem(atPath: directory.file("cities.larder"), toPath: directory.file(name))
        }
      }
      for line in lines { try ShellLine.run(line, in: directory, page) }
    }
  }

  @Test("the first program of README and Getting started runs as it stands, twice")
  func firstProgram() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<2 { #expect(try ShellLine.run("FirstProgram", in: directory) == "1 Lisboa\n") }
    #expect(FileManager.default.fileExists(atPath: directory.file("cities.larder")))
  }
}
