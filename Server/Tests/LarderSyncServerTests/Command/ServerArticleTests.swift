import Foundation
import JWTKit
import Testing

@testable import LarderSyncServer

/// The commands of the article about running a server, word for word.
@Suite struct ServerArticleTests {
  /// Returns the parts of commands that are not on this computer, each with what is in its place. All have to be in the article.
  private func substitutes() throws -> [(name: String, other: String)] {
    let postgres = try TestPostgres.shared.get()
    return [
      ("postgresql://larder@db.example.org/larder", "'\(postgres.url(try postgres.makeDatabase()))'"),
      ("postgresql://…", "'\(postgres.url(try postgres.makeDatabase()))'"),
      ("0.0.0.0:443", "127.0.0.1:0"), ("127.0.0.1:9440", "127.0.0.1:0"),
    ]
  }

  /// The files that the article says an operator has.
  private func makeFiles(_ shell: OperatorShell) throws {
    try shell.write(try ServerArticle.schema, to: "schema.json")
    try shell.write(try ServerArticle.roles, to: "roles.json")
    let certificate = try TestCertificate.make("article")
    try shell.write(try String(contentsOfFile: certificate.certificate, encoding: .utf8), to: "chain.pem")
    try shell.write(try String(contentsOfFile: certificate.key, encoding: .utf8), to: "key.pem")
    try shell.write(ES256PrivateKey().publicKey.pemRepresentation, to: "keys.json")
  }

  @Test("every command of the article about running a server can be run, one after the other")
  func commands() throws {
    let shell = try OperatorShell()
    try makeFiles(shell)
    let substitutes = try substitutes()
    let commands = try ServerArticle().commands
    for (name, _) in substitutes { #expect(commands.contains { $0.contains(name) }, "\(name)") }
    var outputs: [String: String] = [:]
    for command in commands {
      let line = substitutes.reduce(command) { $0.replacingOccurrences(of: $1.name, with: $1.other) }
      // The port of development may be another program's.
      outputs[command] = try shell.run(line, environment: ["LARDER_SYNC_LISTEN": "127.0.0.1:0"])
    }
    func output(_ start: String) throws -> String {
      let command = try #require(commands.first { $0.hasPrefix("larder-sync \(start)") }, "\(start)")
      return try #require(outputs[command])
    }
    #expect(try output("serve --development").hasPrefix("larder-sync: serving ws://127.0.0.1:"))
    #expect(try output("serve --database").contains("larder-sync: serving wss://127.0.0.1:"))
    #expect(try output("token").split(separator: ".").count == 3)
    #expect(try output("tenant create") == "Made the tenant 'cities'.\n")
    #expect(try output("schema push").contains("'cities' has version 1 of its schema now, with 1 classes."))
    #expect(try output("roles check").contains("City: role 'editor'"))
    #expect(try output("roles push") == "'cities' has version 1 of its roles now.\n")
    #expect(try output("migrate") == "Made the tables, version \(StoreMigrator.newest).\n")
    #expect(try output("move").contains("larder_tenant: 1 rows\n"))
    #expect(try output("inspect parts").contains("cities"))
    #expect(try output("inspect log").hasPrefix("version"))
    #expect(try output("schema show").contains("\"alternateNames\""))
    // The state of the servers without a database, and the secret that the first of them has made.
    for name in ["larder-sync.sqlite", "secret.txt"] {
      #expect(FileManager.default.fileExists(atPath: shell.folder.appending(path: name).path), "\(name)")
    }
  }
}
