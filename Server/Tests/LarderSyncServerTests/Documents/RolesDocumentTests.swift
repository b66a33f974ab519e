import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite("Roles as operators write them")
struct RolesDocumentTests {
  private static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "City", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("country", .string, isQueryable: true),
          SchemaProperty("note", .string, isOptional: true),
        ]),
      SchemaClass("Address", kind: .embedded, primaryKey: nil, properties: [SchemaProperty("street", .string)]),
    ])

  private func roles(_ text: String) throws -> RolesDocument {
    try RolesDocument(Array(text.utf8), schema: Self.schema)
  }

  private func user(_ claims: [String: [SyncValue]]) -> UserClaims {
    UserClaims(subject: "u", expires: .max, values: claims)
  }

  @Test("The first role that applies to a user counts, and without one nothing is allowed")
  func firstThatApplies() throws {
    let roles = try roles(
      """
      { "City": [ { "name": "editor", "applyWhen": { "role": ["editor", "admin"], "level": 3 }, "read": true, "write": true },
                  { "name": "reader", "applyWhen": { "role": "reader" }, "read": "country IN claims.countries" } ] }
      """)
    let editor = user(["role": [.string("admin"), .string("x")], "level": [.int(3)]])
    #expect(roles.names(for: editor) == ["City": "editor"])
    #expect(roles.access(for: editor).readRule("City") == .everything)
    let reader = user(["role": [.string("reader")], "countries": [.string("JP"), .string("IN")]])
    let rule = roles.access(for: reader).readRule("City")
    #expect(rule.allows { $0 == "country" ? .string("JP") : .null })
    #expect(!rule.allows { $0 == "country" ? .string("FR") : .null })
    #expect(roles.access(for: user(["role": [.string("editor")]])).readRule("City") == .nothing)
    #expect(roles.access(for: user(["role": [.string("reader")]])).readRule("City") == .nothing)
  }

  @Test("Only the properties that are named may be written")
  func properties() throws {
    let access = try roles(
      #"{ "City": [ { "name": "a", "read": true, "write": true, "insert": true, "properties": ["note"] } ] }"#
    ).access(for: user([:]))
    let name = ObjectName(className: "City", key: .int(1))
    let state = ObjectState()
    let note = SyncOperation(name, .set(SyncPath("note"), .string("x")))
    let country = SyncOperation(name, .set(SyncPath("country"), .string("x")))
    #expect(access.refusal(of: note, before: state) == nil)
    #expect(access.refusal(of: country, before: state) == .property)
  }

  @Test(
    "What is wrong is said with its place",
    arguments: [
      (#"{ "Town": [] }"#, "'Town' is no class"),
      (#"{ "Address": [] }"#, "'Address' is no class"),
      (#"{ "City": {} }"#, "'City' has to be a list."),
      (#"{ "City": [ { "read": true } ] }"#, "'City[0]' has no name."),
      (#"{ "City": [ { "name": "a", "reed": true } ] }"#, "'City[0]' has 'reed'"),
      (#"{ "City": [ { "name": "a", "read": 1 } ] }"#, "'City[0].read' has to be true, false or a predicate."),
      (#"{ "City": [ { "name": "a", "read": "country ==" } ] }"#, "'City[0].read': "),
      (#"{ "City": [ { "name": "a", "read": "note == 'x'" } ] }"#, "'City[0].read': "),
      (#"{ "City": [ { "name": "a", "read": "id == claims.x AND nosuch == 1" } ] }"#, "nosuch"),
      (#"{ "City": [ { "name": "a", "properties": ["nosuch"] } ] }"#, "'City[0].properties[0]'"),
      (#"{ "City": [ { "name": "a", "applyWhen": { "role": null } } ] }"#, "'City[0].applyWhen.role' has to be"),
    ])
  func failures(_ text: String, _ part: String) {
    let error = #expect(throws: DocumentError.self) { _ = try roles(text) }
    #expect(error?.description.contains(part) == true, "\(String(describing: error))")
  }
}
