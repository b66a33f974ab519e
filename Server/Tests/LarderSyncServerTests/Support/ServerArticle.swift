import Foundation

/// The article about running a server: what it has operators type.
struct ServerArticle {
  static let path = "Sources/Larder/Larder.docc/RunningAServer.md"

  /// The lines that call the command, in their order: of blocks of code, and of code within sentences.
  let commands: [String]

  init() throws {
    let text = try String(contentsOfFile: "\(TestPostgres.root)/\(ServerArticle.path)", encoding: .utf8)
    commands = text.replacingOccurrences(of: "\\\n", with: "").matches(of: /(?m)(?:^|`)(larder-sync [^`\n]+)/).map {
      String($0.1)
    }
  }

  /// The article's example of a schema.
  static var schema: String { get throws { try DocumentExamples.json(containing: "primaryKey", in: path) } }
  /// The article's example of roles.
  static var roles: String { get throws { try DocumentExamples.json(containing: "applyWhen", in: path) } }
}
