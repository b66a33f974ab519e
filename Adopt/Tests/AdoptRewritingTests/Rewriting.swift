import AdoptRewriting
import Foundation
import Testing

/// Sources given as text, rewritten together.
enum Rewriting {
  static func outcomes(_ sources: [String]) throws -> [FileOutcome] {
    try Adoption.run(sources.enumerated().map { .init(path: "\($0.offset).swift", source: SourceText($0.element)) })
  }

  static func outcome(_ source: String) throws -> FileOutcome { try outcomes([source])[0] }

  static func text(_ source: String) throws -> String { try outcome(source).after.string }

  static func kinds(_ source: String) throws -> [Finding.Kind] { try outcome(source).findings.map(\.kind) }
}

/// The files of `Fixtures/adopt`.
enum Corpus {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/adopt")

  /// The sources below a folder of the corpus in the order of their paths, which begin there.
  static func inputs(_ name: String) throws -> [Adoption.Input] {
    let base = folder.appendingPathComponent(name)
    let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }
      .sorted()
    return try names.map { path in
      .init(path: path, source: SourceText(Array(try Data(contentsOf: base.appendingPathComponent(path)))))
    }
  }
}
