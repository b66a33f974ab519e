import LarderSyncProtocol
import Testing

@testable import LarderSyncQuery

/// Tests of what subscriptions may ask for, and of what an error says of the rest.
@Suite struct SubscriptionRulesTests {
  static let city = SchemaClass(
    "City", primaryKey: "id",
    properties: [
      SchemaProperty("id", .int), SchemaProperty("name", .string, isQueryable: true),
      SchemaProperty("population", .int, isOptional: true, isQueryable: true), SchemaProperty("secret", .string),
      SchemaProperty("tags", .string, collection: .list, isQueryable: true),
      SchemaProperty("codes", .int, collection: .set, isQueryable: true),
      SchemaProperty("names", .string, collection: .map, isQueryable: true),
      SchemaProperty("country", .link, isOptional: true, target: "Country", isQueryable: true),
      SchemaProperty("place", .embedded, isOptional: true, target: "Place", isQueryable: true),
      SchemaProperty("what", .mixed, isOptional: true, isQueryable: true),
      SchemaProperty("founded", .date, isQueryable: true), SchemaProperty("owner", .string, isQueryable: true),
    ])

  @Test(
    "Y-18: allowed forms",
    arguments: [
      "TRUEPREDICATE", "FALSEPREDICATE", "id == 5", "name == 'Rome'", "population != nil", "population BETWEEN {1, 5}",
      "population IN {1, 2}", "name BEGINSWITH[c] 'r'", "name ENDSWITH 'e'", "name CONTAINS 'o'", "name LIKE[c] 'r*'",
      "ANY tags == 'x'", "NONE tags CONTAINS 'x'", "NONE codes > 3", "tags.@count > 2", "codes.@count == 0",
      "population > 5 AND NOT (name == 'a' OR id < 3)", "what == 5", "5 < population",
    ])
  func allowed(_ text: String) throws {
    _ = try SubscriptionQuery(SyncText(text), in: Self.city)
  }

  @Test(
    "Y-18: each form that is not allowed is refused with its class and property",
    arguments: [
      ("country.name == 'Italy'", "country", "paths over links"), ("place.x == 1", "place", "paths over links"),
      ("country == nil", "country", "links to objects"), ("names['de'] == 'Rom'", "names", "maps"),
      ("ANY names.@allKeys == 'de'", "names", "maps"), ("tags[0] == 'x'", "tags", "single elements"),
      ("codes.@sum > 3", "codes", "@sum"), ("name TEXT 'rome'", "name", "full-text"),
      ("name == owner", "name", "two properties"), ("SUBQUERY(tags, $t, $t == 'x').@count > 0", "", "SUBQUERY"),
      ("@links.Country.cities.@count > 0", "", "link"), ("what.@count > 2", "", "City"),
      ("population + 1 > 5", "", "City"),
    ])
  func refused(_ text: String, _ property: String, _ what: String) throws {
    let error = #expect(throws: SubscriptionQueryError.self) { try SubscriptionQuery(SyncText(text), in: Self.city) }
    #expect(error?.className == "City")
    #expect(error?.description.contains("City") == true)
    if !property.isEmpty { #expect(error?.property == property) }
    #expect(error?.description.contains(what) == true, "\(error?.description ?? "")")
  }

  @Test("Y-18: a property that is not queryable is refused with the line for the schema; the primary key never is")
  func notQueryable() throws {
    let error = #expect(throws: SubscriptionQueryError.self) {
      try SubscriptionQuery("secret == 'x'", in: Self.city)
    }
    #expect(error?.code == .notQueryable && error?.property == "secret")
    #expect(error?.description.contains("add \"secret\" to \"queryable\" of class \"City\"") == true)
    _ = try SubscriptionQuery("id == 3", in: Self.city)
  }

  @Test("Y-18: unknown properties, wrong types and broken text are told apart")
  func wrong() {
    func code(_ text: SyncText) -> SubscriptionQueryError.Code? {
      #expect(throws: SubscriptionQueryError.self) { try SubscriptionQuery(text, in: Self.city) }?.code
    }
    #expect(code("nmae == 'x'") == .unknown)
    #expect(code("name ==") == .malformed)
    #expect(code("population == 'many'") == .malformed)
    #expect(code("") == .malformed)
    #expect(code("tags == 'x'") == .malformed)
  }

  @Test("Y-18: embedded and asymmetric classes have no subscriptions")
  func otherClasses() {
    for kind in [SchemaClassKind.embedded, .asymmetric] {
      let schemaClass = SchemaClass("Event", kind: kind, primaryKey: nil, properties: [])
      let error = #expect(throws: SubscriptionQueryError.self) {
        try SubscriptionQuery("TRUEPREDICATE", in: schemaClass)
      }
      #expect(error?.code == .unknown && error?.className == "Event")
    }
  }

  @Test("Rules compare with the claims of a token; subscriptions of devices cannot")
  func claims() throws {
    let claims: [String: [SyncValue]] = ["sub": [.string("ada")], "teams": [.int(3), .int(4)]]
    let own = try SubscriptionQuery("owner == claims.sub", in: Self.city, claims: claims)
    #expect(own.matches { $0 == "owner" ? .string("ada") : .null })
    #expect(!own.matches { $0 == "owner" ? .string("bob") : .null })
    let team = try SubscriptionQuery("population IN claims.teams", in: Self.city, claims: claims)
    #expect(team.matches { $0 == "population" ? .int(4) : .null })
    #expect(!team.matches { $0 == "population" ? .int(5) : .null })
    func code(_ text: SyncText, _ claims: [String: [SyncValue]]?) -> SubscriptionQueryError.Code? {
      #expect(throws: SubscriptionQueryError.self) { try SubscriptionQuery(text, in: Self.city, claims: claims) }?.code
    }
    #expect(code("owner == claims.nobody", claims) == .missingClaim)
    #expect(code("population == claims.teams", claims) == .missingClaim)
    #expect(code("owner == claims.sub", nil) == .unknown)
  }
}
