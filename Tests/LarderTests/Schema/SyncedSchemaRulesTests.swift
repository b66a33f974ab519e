import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Classes that a synced store may have, and what may become of them.
@Suite("Schemas of synced stores") struct SyncedSchemaRulesTests {
  final class NoKey: Object {
    @Persisted var text = ""
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class MayBeNil: Object {
    @Persisted(primaryKey: true) var id: String?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Here: Object {
    @Persisted var text = ""
    @Persisted var article: Article?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func syncMode() -> SyncMode { .local }
  }

  final class Note: EmbeddedObject {
    @Persisted var here: Here?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var notes: List<Note>
    @Persisted var pages: List<Here>
    @Persisted(localOnly: true) var draft: Here?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Sound: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var next: Sound?
    @Persisted(localOnly: true) var place: Here?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private func models(_ types: [ObjectBase.Type]) -> [ModelClass] { types.map { ModelClass.of($0) } }

  private func message(_ types: [ObjectBase.Type], stored: StoreSchema? = nil) -> String {
    do { try SyncedSchemaRules.verify(models(types), stored: stored) } catch let error as Realm.Error {
      #expect(error.code == .schemaMismatch)
      return error.message
    } catch { Issue.record(error) }
    return ""
  }

  @Test("Y-44: every synced class without a primary key that is never nil is named, all at once") func keys() {
    let text = message([NoKey.self, MayBeNil.self, Sound.self, Here.self, Article.self, Note.self])
    #expect(text.contains("Class NoKey: it has no primary key"))
    #expect(text.contains("Class MayBeNil, property id"))
    #expect(!text.contains("Class Sound") && !text.contains("Class Here") && !text.contains("Class Note: "))
  }

  @Test(
    "Y-45: links from synced classes to local ones are refused, also from embedded objects; local-only ones are not")
  func links() {
    let text = message([Here.self, Article.self, Note.self])
    #expect(text.contains("Class Article, property pages: it links to Here"))
    #expect(text.contains("Class Note, property here"))
    #expect(!text.contains("draft") && !text.contains("Class Here"))
    #expect(message([Sound.self]).isEmpty)
  }

  /// A schema with one synced class.
  private func stored(_ columns: [ColumnDeclaration], name: String = "Sound") throws -> StoreSchema {
    let temporary = try TemporaryFolder()
    let store = try Store.open(path: temporary.url.appendingPathComponent("a.larder").path)
    let writer = try store.beginWrite()
    let own = ClassDeclaration(name: name, columns: columns, syncMode: .synced)
    try writer.apply([own], schemaVersion: 1)
    try writer.commit()
    return try store.snapshot().schema
  }

  private let id = ColumnDeclaration(name: "id", type: .uuid, isPrimaryKey: true)

  @Test("Y-47: classes and properties may come and go in synced classes") func additions() throws {
    let schema = try stored([id, ColumnDeclaration(name: "old", type: .string)])
    #expect(message([Sound.self], stored: schema).isEmpty)
  }

  @Test("Y-48: a synced property keeps its type, kind, optionality and whether it is the primary key") func changes()
    throws
  {
    let text = ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true)
    #expect(message([Sound.self], stored: try stored([text])).contains("property id: its type changed"))
    let optional = ColumnDeclaration(name: "id", type: .uuid, isOptional: true)
    #expect(message([Sound.self], stored: try stored([optional])).contains("property id: it became required"))
    let plain = ColumnDeclaration(name: "id", type: .uuid)
    #expect(message([Sound.self], stored: try stored([plain])).contains("property id: it is now the primary key"))
    let other = ColumnDeclaration(name: "key", type: .uuid, isPrimaryKey: true)
    #expect(message([Sound.self], stored: try stored([other])).contains("property id: it is another primary key"))
    let list = ColumnDeclaration(name: "next", type: .link, collection: .list, target: "Sound")
    #expect(message([Sound.self], stored: try stored([id, list])).contains("property next: its type changed"))
    // What stays on the device is the program's own.
    let place = ColumnDeclaration(name: "place", type: .string, isLocalOnly: true)
    #expect(message([Sound.self], stored: try stored([id, place])).isEmpty)
  }

  @Test("Y-50: a local class may become synced; a synced one stays so") func modes() throws {
    let schema = try stored([ColumnDeclaration(name: "text", type: .string)], name: "Here")
    #expect(
      message([Sound.self, Here.self, Article.self, Note.self], stored: schema).contains("Class Here: its objects"))
  }
}
