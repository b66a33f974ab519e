import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Types that cannot be stored") struct UnstorableTypesTests {
  /// Returns the text that the compiler prints for a file that imports the library.
  private func diagnostics(of source: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Model.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let maps = ["CLMDB", "CCrypto", "CDecimal", "CSwiftRuntime"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(root.path)/Sources/\($0)/module.modulemap"]
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", WorkerProcess.productsDirectory.path + "/Modules"] + maps
      + [file.path]
    process.standardError = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  @Test("F-138: @Persisted says what to write for a type that cannot be stored")
  func messages() throws {
    let text = try diagnostics(
      of: """
        import Larder
        enum Size: String { case small }
        struct Point { var x = 0 }
        final class Model: Object {
          @Persisted var names: [String]
          @Persisted var given: [Int] = [1]
          @Persisted var maybe: [String]?
          @Persisted var tags: Set<String>
          @Persisted var scores: [String: Int]
          @Persisted var size: Size
          @Persisted var optional: Size?
          @Persisted var point: Point
          @Persisted var start = Point()
        }
        """)
    let expected = [
      ("names", "Arrays are stored as lists"), ("given", "Arrays are stored as lists"),
      ("maybe", "Let the type conform to CustomPersistable"),
      ("tags", "Sets are stored as mutable sets"), ("scores", "Dictionaries are stored as maps"),
      ("size", "Let the enum conform to PersistableEnum"), ("optional", "Let the type conform to CustomPersistable"),
      ("point", "conform to CustomPersistable"), ("start", "conform to CustomPersistable"),
    ]
    for (index, (property, message)) in expected.enumerated() {
      let line = 5 + index
      let found = text.split(separator: "\n").contains {
        $0.contains("Model.swift:\(line):") && $0.contains("is unavailable") && $0.contains(message)
      }
      #expect(found, "\(property): \(text)")
    }
  }

  @Test("F-138: types that can be stored compile as before") func storable() throws {
    let text = try diagnostics(
      of: """
        import Foundation
        import Larder
        enum Size: String, PersistableEnum { case small }
        final class Other: Object { @Persisted(originProperty: "other") var back: LinkingObjects<Model> }
        final class Model: Object {
          @Persisted(primaryKey: true) var id: ObjectId
          @Persisted(indexed: true) var name = ""
          @Persisted var size: Size
          @Persisted var maybe: Size? = .small
          @Persisted var names: List<String>
          @Persisted var tags: MutableSet<String>
          @Persisted var scores: Map<String, Int?>
          @Persisted var any: AnyRealmValue
          @Persisted var made = Date()
          @Persisted var other: Other?
          @Persisted(localOnly: true) var local: Data
        }
        """)
    #expect(!text.contains("error:"), "\(text)")
  }
}
