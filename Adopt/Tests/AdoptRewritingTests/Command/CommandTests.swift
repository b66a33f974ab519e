import Foundation
import Testing

/// The program itself, in a folder of its own.
@Suite struct CommandTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("adopt-" + UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, _ name: String) throws {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    /// Runs the program and returns its output, its errors, and its status.
    func run(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("larder-adopt")
      process.currentDirectoryURL = url
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      let errors = url.appendingPathComponent(".errors")
      try Data().write(to: errors)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (String(decoding: data, as: UTF8.self), try text(".errors"), process.terminationStatus)
    }
  }

  private static let old = "import RealmSwift\n\nclass Dog: Object {\n  @objc dynamic var name = \"\"\n}\n"
  private static let new = "import Larder\n\nclass Dog: Object {\n  @Persisted var name = \"\"\n}\n"

  @Test("files in folders are rewritten in place, keeping their mode, and a second run changes nothing")
  func inPlace() throws {
    let folder = try Folder()
    try folder.write(Self.old, "App/Models/Dog.swift")
    for name in ["App/.build/a.swift", "App/Pods/a.swift", "App/Carthage/a.swift", "App/.hidden/a.swift", "App/a.txt"] {
      try folder.write(Self.old, name)
    }
    let file = folder.url.appendingPathComponent("App/Models/Dog.swift").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let first = try folder.run("App")
    #expect(first.status == 0 && first.output == "changed 1 of 1 file in 3 places; nothing is left to do by hand\n")
    #expect(try folder.text("App/Models/Dog.swift") == Self.new)
    #expect(try folder.text("App/Pods/a.swift") == Self.old && folder.text("App/.build/a.swift") == Self.old)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/App/Models") == ["Dog.swift"])
    let second = try folder.run("App")
    #expect(second.status == 0 && second.output.hasPrefix("changed 0 of 1 file"))
  }

  @Test("--dry-run prints the difference and changes nothing")
  func dryRun() throws {
    let folder = try Folder()
    try folder.write(Self.old, "Dog.swift")
    let result = try folder.run("--dry-run", "Dog.swift")
    #expect(result.status == 0 && result.output.contains("-  @objc dynamic var name = \"\"\n+  @Persisted var name"))
    #expect(try folder.text("Dog.swift") == Self.old)
  }

  @Test("a symbolic link to a file stays one")
  func link() throws {
    let folder = try Folder()
    try folder.write(Self.old, "real/Dog.swift")
    let link = folder.url.appendingPathComponent("Link.swift").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/Dog.swift")
    #expect(try folder.run("Link.swift", "real").status == 0)
    #expect(try folder.text("real/Dog.swift") == Self.new)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real/Dog.swift")
  }

  @Test("what is left is listed with place, line and what to write, and the status is 1; as JSON too")
  func left() throws {
    let folder = try Folder()
    try folder.write("let s = #selector(a)\n\nfunc f(_ e: Error) { print(e as! NSError) }\n", "a.swift")
    let result = try folder.run("a.swift")
    #expect(result.status == 1 && result.output.contains("a.swift:1:9: selector: "))
    #expect(result.output.contains("    is:    func f(_ e: Error) { print(e as! NSError) }\n"))
    #expect(result.output.contains("    write: func f(_ e: Error) { print(e as NSError) }\n"))
    let json = try folder.run("--json", "a.swift")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(json.status == 1 && findings.map { $0["kind"] as? String } == ["selector", "ns-error"])
    #expect(findings[1]["line"] as? Int == 3 && findings[1]["column"] as? Int == 28)
    #expect((object["summary"] as? [String: Any])?["left"] as? Int == 2)
  }

  @Test("wrong command lines and files that cannot be read have status 2, and nothing is changed")
  func failures() throws {
    let folder = try Folder()
    try folder.write(Self.old, "Dog.swift")
    try Data([0x66, 0xFF, 0xFE]).write(to: folder.url.appendingPathComponent("latin.swift"))
    #expect(try folder.run("--what").status == 2)
    #expect(try folder.run().status == 2)
    let missing = try folder.run("Dog.swift", "nothing.swift")
    #expect(missing.status == 2 && missing.errors.contains("nothing.swift: there is no such file"))
    let latin = try folder.run("Dog.swift", "latin.swift")
    #expect(latin.status == 2 && latin.errors.contains("latin.swift: is no text in UTF-8"))
    #expect(try folder.text("Dog.swift") == Self.old)
    #expect(try folder.run("--help").status == 0)
  }
}
