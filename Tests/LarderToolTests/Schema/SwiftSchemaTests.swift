import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The Swift classes that `larder schema` makes of any schema.
@Suite struct SwiftSchemaTests {
  /// The reserved words of Swift, those that are so in some places only included.
  static let words = """
    Any as associatedtype await break case catch class continue default defer deinit do else enum extension fallthrough false
    fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol public repeat
    rethrows return self Self static struct subscript super switch throw throws true try typealias var where while
    actor any associativity async borrowing consume consuming convenience copy didSet discard distributed dynamic each final get
    indirect infix isolated lazy left macro mutating none nonisolated nonmutating open optional override package postfix precedence
    prefix Protocol required right sending set some Type unowned unsafe weak willSet
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// The members that `NSObject` and the protocols of every class bring.
  static let inherited = [
    "copy", "customMirror", "debugDescription", "description", "encode", "hash", "hashValue", "isEqual", "isKind",
    "isMember", "isProxy", "mutableCopy", "perform", "responds", "superclass",
  ]

  /// The members of `Object` and `EmbeddedObject`, as the sources declare them.
  static func members() throws -> Set<String> {
    let sources = URL(fileURLWithPath: fixtures).deletingLastPathComponent().appendingPathComponent("Sources/Larder")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      var isInside = false
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if let type = line.firstMatch(of: #/^(?:(?:public|open|final) )*(?:class|extension|protocol) (\w+)/#)?.1 {
          isInside = ["ObjectBase", "Object", "EmbeddedObject", "ThreadConfined", "RealmFetchable"].contains(type)
        }
        if line.hasPrefix("}") { isInside = false }
        guard isInside, line.contains("public ") || line.contains("open ") else { continue }
        if let name = line.firstMatch(of: #/ (?:var|let|func) (\w+)/#)?.1 { found.insert(String(name)) }
      }
    }
    return found
  }

  /// Returns what the compiler says of a schema's classes; nil where it says nothing.
  private func problems(_ classes: [ClassDeclaration]) throws -> String? {
    let store = try TemporaryStore()
    try store.write { try $0.apply(classes, schemaVersion: 1) }
    let text = SchemaRendering(try store.snapshot.schema).swift()
    return try withTemporaryDirectory { directory in
      let file = try directory.write(text, to: "Models.swift")
      let build = try WorkerProcess.executable("larder").deletingLastPathComponent()
      let package = URL(fileURLWithPath: fixtures).deletingLastPathComponent()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // Modules of C that those of Larder are made with.
      let modules = try FileManager.default.contentsOfDirectory(atPath: package.appendingPathComponent("Sources").path)
        .filter { $0.hasPrefix("C") }.flatMap { ["-I", package.appendingPathComponent("Sources/\($0)").path] }
      process.arguments =
        ["swiftc", "-typecheck", "-swift-version", "6", "-I", build.appendingPathComponent("Modules").path]
        + modules + [file]
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let lines = told.split(separator: "\n").filter { $0.contains("error:") || $0.contains("warning:") }
      return process.terminationStatus == 0 && lines.isEmpty
        ? nil : lines.prefix(20).joined(separator: "\n") + "\n" + (lines.isEmpty ? told : "")
    }
  }

  @Test("F-158: classes and properties that are called as words of Swift and members of Object compile")
  func everyWord() throws {
    let members = try Self.members()
    #expect(members.isSuperset(of: ["realm", "observe", "freeze", "isInvalidated", "uniqueKeys", "setValue"]))
    let types = ["Int", "String", "Date", "Data", "UUID", "Map", "List", "Persisted", "AnyKeyPath", "Double"]
    let names = Array(Set(Self.words + Self.inherited + types + members)).sorted() + ["_name", "name", "_id"]
    let kinds: [ColumnType] = [.int, .string, .date, .double, .data, .uuid, .objectId, .decimal128, .bool, .float]
    let columns = names.enumerated().map { place, name in
      ColumnDeclaration(name: name, type: kinds[place % kinds.count], isOptional: place.isMultiple(of: 3))
    }
    var classes = [
      ClassDeclaration(
        name: "All", columns: columns,
        indexes: [
          IndexDeclaration(["description", "name"])
        ]),
      ClassDeclaration(name: "AllEmbedded", isEmbedded: true, columns: columns),
    ]
    for name in names {
      classes.append(
        ClassDeclaration(
          name: name,
          columns: [
            ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
            ColumnDeclaration(name: "other", type: .string),
            ColumnDeclaration(name: name == "_id" ? "one" : name, type: .link, isOptional: true, target: name),
            ColumnDeclaration(name: "many", type: .link, collection: .list, target: name),
          ],
          indexes: [IndexDeclaration(["id", "other"])]))
    }
    let problems = try problems(classes)
    #expect(problems == nil, "\(problems ?? "")")
  }
}
