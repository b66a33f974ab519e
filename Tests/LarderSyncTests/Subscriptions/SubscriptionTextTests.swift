import Foundation
import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Subscriptions: what may be asked")
struct SubscriptionTextTests {
  @Test("Y-18: What subscriptions may ask for is recorded as text that says the same")
  @MainActor func allowed() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let people = realm.objects(SyncedPerson.self)
    let subscriptions = realm.subscriptions
    let day = Date(timeIntervalSince1970: 86_400)
    let queries: [(String, QuerySubscription<SyncedPerson>)] = [
      ("TRUEPREDICATE", .init()), ("age > 3", .init { $0.age > 3 }), ("id == 1", .init { $0.id == 1 }),
      ("name BEGINSWITH[c] 'a'", .init { $0.name.starts(with: "a", options: .caseInsensitive) }),
      ("age BETWEEN {1, 3}", .init { $0.age.contains(1...3) }), ("age IN {1, 2}", .init { $0.age.in([1, 2]) }),
      ("ANY tags == 'x'", .init { $0.tags.contains("x") }), ("tags.@count > 2", .init { $0.tags.count > 2 }),
      ("born < \(day)", .init { $0.born < day }), ("born == NIL", .init { $0.born == nil }),
      ("age > 3 AND name == 'b'", .init { $0.age > 3 && $0.name == "b" }),
      ("NOT (age > 3 OR age < 1)", .init { !($0.age > 3 || $0.age < 1) }),
      ("name LIKE 'a*'", .init(where: "name LIKE 'a*'")), ("age > 3", .init(where: NSPredicate(format: "age > 3"))),
    ]
    for (text, query) in queries {
      subscriptions.changed {
        subscriptions.removeAll()
        subscriptions.append(query)
      }
      let record = try #require(subscriptions.reference.subscriptions.first)
      if !text.hasPrefix("born <") { #expect(subscriptions.first?.queryString == text) }
      // The text is read again as the condition that it was made of.
      let again = try people.throwing.filter(record.predicate.string, record.arguments.map { $0.argument })
      #expect(
        subscriptions.first(ofType: SyncedPerson.self, where: NSPredicate(value: true)) == nil
          || text == "TRUEPREDICATE")
      _ = again.count
    }
  }

  @Test("Y-18: What subscriptions cannot ask for is refused before anything is stored, with class and property")
  @MainActor func refused() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    let queries: [(String, QuerySubscription<SyncedPerson>)] = [
      ("SyncedPerson.pet", .init { $0.pet.name == "Rex" }), ("SyncedPerson.pet", .init(where: "pet.id > 3")),
      ("draft", .init { $0.draft == "x" }), ("SyncedPerson.age", .init(where: "age > id")),
      ("nothing", .init(where: "nothing == 3")), ("SyncedPerson", .init(where: "age >")),
    ]
    for (part, query) in queries {
      let error = #expect(throws: Realm.Error.self) {
        try subscriptions.throwing.update { try subscriptions.throwing.append(query) }
      }
      #expect(error?.code == .subscriptionFailed)
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "") should name \(part)")
      await #expect(throws: Realm.Error.self) { try await subscriptions.update { subscriptions.append(query) } }
    }
    #expect(throws: Realm.Error.self) {
      try subscriptions.throwing.update { try subscriptions.throwing.append(QuerySubscription<LocalNote>()) }
    }
    #expect(subscriptions.version == 0)
  }

  @Test("Y-18: What the server said is queryable last is what may be asked, offline as well")
  @MainActor func queryable() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let schema = SyncSchema(
      version: 3,
      classes: [
        SchemaClass(
          "SyncedPerson", primaryKey: "id",
          properties: [
            SchemaProperty("id", .int), SchemaProperty("name", .string), SchemaProperty("age", .int, isQueryable: true),
          ])
      ])
    let writer = try SyncAccess(realm).store.beginWrite()
    try SyncWriting(writer).setState(ServerSchema.stateName, schema.encoded())
    try writer.commit()
    let subscriptions = realm.subscriptions
    try subscriptions.throwing.update {
      try subscriptions.throwing.append(QuerySubscription<SyncedPerson> { $0.age > 3 && $0.id > 1 })
    }
    let error = #expect(throws: Realm.Error.self) {
      try subscriptions.throwing.update {
        try subscriptions.throwing.append(QuerySubscription<SyncedPerson> { $0.name == "a" })
      }
    }
    #expect(error?.message.contains("queryable") == true)
    #expect(error?.propertyName == "name")
  }

  @Test("Y-18: A set whose text is longer than 256 KiB is refused")
  @MainActor func length() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    let long = String(repeating: "a", count: 256 * 1_024)
    let error = #expect(throws: Realm.Error.self) {
      try subscriptions.throwing.update {
        try subscriptions.throwing.append(QuerySubscription<SyncedPerson> { $0.name == long })
      }
    }
    #expect(error?.code == .subscriptionFailed)
    #expect(subscriptions.count == 0)
  }
}

extension SyncValue {
  /// The value as an argument of a local filter.
  var argument: Any {
    switch self {
    case .date(let date):
      Date(timeIntervalSince1970: Double(date.seconds) + Double(date.nanoseconds) / 1e9)
    case .string(let text): text.string
    case .int(let number): Int(number)
    default: self
    }
  }
}
