import Foundation
import Testing

@testable import Larder

private final class Mapped: Object {
  @Persisted(primaryKey: true) var identifier: Int
  @Persisted(indexed: true) var title: String
  @Persisted var amount: Double
  @Persisted var parent: Mapped?
  @Persisted var children: List<Mapped>
  @Persisted var detail: MappedDetail?
  @Persisted(originProperty: "children") var parents: LinkingObjects<Mapped>

  override class func propertiesMapping() -> [String: String] {
    ["identifier": "_id", "title": "stored_title", "amount": "price", "children": "kids", "detail": "extra"]
  }
  override class func _realmObjectName() -> String? { "Article" }
}

private final class MappedDetail: EmbeddedObject {
  @Persisted var note: String
  override class func propertiesMapping() -> [String: String] { ["note": "n"] }
}

/// The class as the file has it.
private final class Article: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted(indexed: true) var stored_title: String
  @Persisted var price: Double
  @Persisted var parent: Article?
  @Persisted var kids: List<Article>
  @Persisted var extra: PlainDetail?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class PlainDetail: EmbeddedObject {
  @Persisted var n: String
  override class func _realmObjectName() -> String? { "MappedDetail" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Covers O-27: programs use the names of Swift everywhere, the file has the mapped ones.
@Suite("Mapped names") struct MappingTests {
  private static let types: [ObjectBase.Type] = [Mapped.self, MappedDetail.self]

  private func fill(_ realm: Realm) throws {
    try realm.write {
      for (id, title) in ["b", "a", "b"].enumerated() {
        realm.create(
          Mapped.self,
          value: ["identifier": id, "title": title, "amount": Double(id), "detail": ["note": "n\(id)"]] as [String: Any]
        )
      }
      let root = realm.create(Mapped.self, value: [9, "root"] as [Any])
      root.children.append(objectsIn: realm.objects(Mapped.self).filter("identifier < 9"))
      root.children[0].parent = root
    }
  }

  @Test("O-27: creating, keys, queries, sorting, aggregates, inverses and access by name use the names of Swift")
  func names() throws {
    let realm = try makeRealm(Self.types)
    try fill(realm)
    let all = realm.objects(Mapped.self)
    let root = try #require(realm.object(ofType: Mapped.self, forPrimaryKey: 9))
    #expect(all.filter("title == 'b'").map(\.identifier) == [0, 2] && all.filter("detail.note == 'n1'").count == 1)
    #expect(all.where { $0.title == "b" && $0.amount > 1 }.map(\.identifier) == [2])
    #expect(
      all.filter("ANY children.title == 'a'").map(\.identifier) == [9]
        && all.filter("parent.title == 'root'").count == 1)
    #expect(all.filter("parents.@count == 1").count == 3)
    #expect(all.sorted(byKeyPath: "title").map(\.title) == ["a", "b", "b", "root"])
    #expect(all.sorted(by: \.detail?.note, ascending: false).map(\.identifier) == [9, 2, 1, 0])
    #expect(
      all.distinct(by: ["title"]).count == 3 && all.sum(ofProperty: "amount") == 3.0 && all.max(of: \.amount) == 2)
    #expect(_name(for: \Mapped.children[0].detail?.note) == "children.detail.note")
    #expect(root.children[1].parents.map(\.title) == ["root"] && root["title"] as? String == "root")
    #expect(all.sectioned(by: \.title).allKeys == ["a", "b", "root"])
    try realm.write {
      root.setValue("new", forKey: "title")
      root["amount"] = 4
      realm.create(Mapped.self, value: ["identifier": 0, "title": "up"] as [String: Any], update: .modified)
    }
    #expect(root.title == "new" && root.amount == 4 && root.children[0].title == "up" && root.children[0].amount == 0)
    #expect(root.description.contains("title = new;") && !root.description.contains("stored_title"))
    #expect(throws: Realm.Error.self) { try all.throwing.filter("stored_titles == 'b'") }
    let schema = try #require(realm.schema["Article"])
    #expect(Mapped.className() == "Article" && schema.objectClass == Mapped.self)
    #expect(schema.primaryKeyProperty?.name == "identifier" && schema["children"]?.columnName == "kids")
    #expect(schema["kids"]?.name == "children" && schema["parents"]?.type == .linkingObjects)
    #expect(realm.dynamicObject(ofType: "Article", forPrimaryKey: 9)?["title"] as? String == "new")
    let copy = root.detached()
    #expect(copy.title == "new" && copy.children.count == 3)
  }

  @Test("O-27: observers hear the names of Swift, and name key paths so") func observing() throws {
    try onQueue(Self.types) { realm in
      try fill(realm)
      let object = try #require(realm.object(ofType: Mapped.self, forPrimaryKey: 1))
      var heard: [String] = []
      var updates = 0
      let tokens = [
        object.observe { (change: ObjectChange<Mapped>) in
          if case .change(_, let properties) = change { heard += properties.map(\.name) }
        },
        realm.objects(Mapped.self).observe(keyPaths: ["title"]) { change in
          if case .update(_, _, _, let modifications) = change { updates += modifications.count }
        },
      ]
      realm.refresh()
      try realm.write { object.title = "z" }
      realm.refresh()
      try realm.write { object.amount = 7 }
      realm.refresh()
      #expect(heard == ["title", "amount"] && updates == 1)
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("O-27: the file has the mapped names") func file() throws {
    let folder = try TemporaryFolder()
    do { try fill(try Realm(configuration: folder.configuration(Self.types))) }
    do {
      let realm = try Realm(configuration: folder.configuration([Article.self, PlainDetail.self]))
      let root = try #require(realm.object(ofType: Article.self, forPrimaryKey: 9))
      #expect(root.stored_title == "root" && root.kids.map(\._id) == [0, 1, 2] && root.kids[1].extra?.n == "n1")
      #expect(realm.objects(Article.self).filter("stored_title == 'b'").count == 2)
      try realm.write { root.price = 12 }
    }
    let realm = try Realm(configuration: folder.configuration(Self.types))
    #expect(realm.object(ofType: Mapped.self, forPrimaryKey: 9)?.amount == 12)
  }
}
