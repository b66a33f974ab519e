import Foundation
import Larder

/// A `.realm` file becomes a store: no peer reads one.
enum RealmFiles {
  static let trial = Trial(ids: ["realm-import"], entrants: ["larder": LarderEntrant.self])

  /// The rows as a file of RealmSwift has them.
  private static func file(_ rows: [PersonRow]) -> Data {
    typealias Column = RealmFileBuilder.Column
    let table = RealmFileBuilder.Table(
      "class_Person", primaryKey: 0, rows: rows.count,
      [
        Column("id", .int) { part, nodes in nodes.integers(part.map { Int64(rows[$0].id) }) },
        Column("name", .string) { part, nodes in nodes.strings(part.map { rows[$0].name }) },
        Column("age", .int) { part, nodes in nodes.integers(part.map { Int64(rows[$0].age) }) },
        Column("score", .double) { part, nodes in nodes.doubles(part.map { rows[$0].score }) },
        Column("active", .bool) { part, nodes in nodes.integers(part.map { rows[$0].active ? 1 : 0 }) },
        Column("created", .timestamp) { part, nodes in nodes.timestamps(part.map { (Int64(rows[$0].created), 0) }) },
        Column("email", .string) { part, nodes in nodes.strings(part.map { rows[$0].email }) },
      ])
    return Data(RealmFileBuilder([table]).bytes())
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let old = URL(fileURLWithPath: directory + "/person.realm")
      try file(data.rows).write(to: old)
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: directory + "/person.larder"), objectTypes: [Person.self])
      configuration.importsRealmFile = RealmFileImport(fileURL: old)
      var realm: Realm?
      try meter.time("realm-import", units: data.rows.count) { realm = try Realm(configuration: configuration) }
      let people = realm?.objects(Person.self)
      let answer = Answer(
        people?.count ?? 0, people?.sum(ofProperty: "id") ?? 0, people?.sum(ofProperty: "age") ?? 0)
      realm?.invalidate()
      return answer
    }
  }
}
