import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct RoleReaderTests {
  private let schema = SyncSchema(
    version: 1,
    classes: TaskSchema.schema.classes + [
      SchemaClass("Reading", kind: .asymmetric, primaryKey: "id", properties: [SchemaProperty("id", .objectID)])
    ])
  private let roles = """
    {"Task": [
      {"name": "admin", "applyWhen": "'admins' IN claims.groups", "read": true, "write": true, "insert": true, "delete": true},
      {"name": "clerk", "applyWhen": {"level": [2, 3]}, "read": "rank <= claims.level", "write": false},
      {"name": "owner", "applyWhen": "claims.sub != nil", "read": "owner == claims.sub OR rank IN claims.ranks",
       "write": "owner == claims.sub", "insert": "owner == claims.sub", "writableProperties": ["notes", "rank"]}],
     "Reading": [{"name": "all", "insert": true}]}
    """

  private func document(_ text: String) throws(DocumentError) -> RolesDocument {
    try RolesDocument(Array(text.utf8), schema: schema)
  }

  private func access(_ claims: [String: [SyncValue]]) throws -> UserAccess {
    try document(roles).access(for: UserClaims(subject: "", expires: 0, values: claims))
  }

  private func allows(_ rule: ReadRule, owner: String, rank: Int64) -> Bool {
    rule.allows { $0 == "owner" ? .string(SyncText(owner)) : $0 == "rank" ? .int(rank) : .null }
  }

  private let ann: [String: [SyncValue]] = ["sub": [.string("ann")], "ranks": [.int(7), .int(8)]]

  @Test("Y-27: the first role that applies counts, and no other")
  func first() throws {
    var claims = ann
    #expect(allows(try access(claims).readRule("Task"), owner: "ann", rank: 1))
    claims["level"] = [.int(3)]
    #expect(!allows(try access(claims).readRule("Task"), owner: "ann", rank: 4))
    #expect(allows(try access(claims).readRule("Task"), owner: "bob", rank: 3))
    claims["groups"] = [.string("staff"), .string("admins")]
    #expect(try access(claims).readRule("Task") == .everything)
  }

  @Test("Y-27: without a role that applies, and in classes without roles, everything is denied")
  func denied() throws {
    let access = try access(["level": [.int(9)]])
    #expect(access.readRule("Task") == .nothing)
    let task = TaskSchema.task(1)
    #expect(access.refusal(of: SyncOperation(task, .create([])), before: ObjectState()) == .insert)
    let none = try document("{}").access(for: UserClaims(subject: "", expires: 0, values: ann))
    #expect(none.readRule("Task") == .nothing)
    #expect(none.refusal(of: SyncOperation(task, .delete), before: ObjectState()) == .delete)
  }

  @Test("claims are values of predicates: one, or several after IN; a predicate of a missing claim allows nothing")
  func claims() throws {
    #expect(allows(try access(ann).readRule("Task"), owner: "bob", rank: 8))
    #expect(!allows(try access(ann).readRule("Task"), owner: "bob", rank: 9))
    #expect(try access(["sub": [.string("ann")]]).readRule("Task") == .nothing)
  }

  @Test("Y-27: writableProperties hold for changes of objects that are there")
  func properties() throws {
    let access = try access(ann)
    var state = ObjectState()
    let stamp = Stamp(time: SyncTime(rawValue: 5), site: .test(1), operation: 0)
    _ = state.merge(.create([CreatedProperty("owner", .string("ann"))]), stamp: stamp)
    func refusal(_ property: SyncText) -> RefusalReason? {
      access.refusal(of: SyncOperation(TaskSchema.task(1), .set(SyncPath(property), .null)), before: state)
    }
    #expect(refusal("rank") == nil)
    #expect(refusal("weight") == .property)
  }

  @Test("users with equal claims in rules have equal access")
  func equality() throws {
    var other = ann
    other["device"] = [.string("x")]
    #expect(try access(ann) == access(other))
    other["sub"] = [.string("bob")]
    #expect(try access(ann) != access(other))
  }

  @Test(
    "errors name class, role, key and the place in the predicate",
    arguments: [
      (#"{"Person": []}"#, ["'Person' is no class of the schema"]),
      (#"{"Place": []}"#, ["'Place' is no class of the schema that has objects of its own"]),
      (#"{"Task": [{"read": true}]}"#, ["'Task[0]'", "has no name"]),
      (#"{"Task": [{"name": "a", "reed": true}]}"#, ["class 'Task', role 'a'", "'reed', which means nothing here"]),
      (#"{"Task": [{"name": "a"}, {"name": "a"}]}"#, ["two roles named 'a'"]),
      (#"{"Task": [{"name": "a", "read": true, "read": false}]}"#, ["the key 'read' twice"]),
      (#"{"Task": [{"name": "a", "read": 1}]}"#, ["role 'a', key 'read'", "true, false or a predicate"]),
      (#"{"Task": [{"name": "a", "read": "owner = = 1"}]}"#, ["class 'Task', role 'a', key 'read'", "at position 8"]),
      (#"{"Task": [{"name": "a", "read": "owner == 3"}]}"#, ["role 'a', key 'read'", "owner"]),
      (#"{"Task": [{"name": "a", "write": "colour == claims.sub"}]}"#, ["key 'write'", "no property 'colour'"]),
      (#"{"Task": [{"name": "a", "write": "notes.@count == claims.n"}]}"#, ["key 'write'", "not queryable"]),
      (#"{"Task": [{"name": "a", "insert": "owner == claims.sub AND rank =="}]}"#, ["key 'insert'", "position"]),
      (
        #"{"Task": [{"name": "a", "applyWhen": "role == 'x'"}]}"#,
        ["key 'applyWhen'", "'role' at position 0", "claims.name"]
      ),
      (#"{"Task": [{"name": "a", "applyWhen": {"role": null}}]}"#, ["key 'applyWhen'", "has to be a text"]),
      (#"{"Task": [{"name": "a", "writableProperties": ["x"]}]}"#, ["key 'writableProperties'", "no property 'x'"]),
      (#"{"Task": [{"name": "a", "writableProperties": ["id"]}]}"#, ["primary key"]),
      (#"{"Reading": [{"name": "a", "read": true}]}"#, ["key 'read'", "only sent to the server"]),
      (#"{"Reading": [{"name": "a", "insert": "id == claims.sub"}]}"#, ["key 'insert'", "only sent to the server"]),
    ])
  func errors(_ text: String, _ expected: [String]) {
    let error = #expect(throws: DocumentError.self) { _ = try document(text) }
    for part in expected {
      #expect(error?.description.contains(part) ?? false, "\(error?.description ?? "") lacks \(part)")
    }
  }

  @Test("the summary of a user says for each class the role and what it allows")
  func summary() throws {
    let lines = try document(roles).summary(for: UserClaims(subject: "", expires: 0, values: ["sub": [.string("ann")]]))
      .map { $0.lines.joined(separator: "\n") }
    #expect(lines[0] == "Reading: role 'all'\n  read: none\n  write: none\n  insert: all\n  delete: none")
    #expect(lines[1].contains("Task: role 'owner'\n  read: none, because"))
    #expect(lines[1].contains("no claim 'ranks'"))
    #expect(lines[1].contains("\n  write: owner == claims.sub\n"))
    #expect(lines[1].hasSuffix("\n  writable: notes, rank"))
    #expect(
      try document("{}").summary(for: UserClaims(subject: "", expires: 0))[1].lines == [
        "Task: no role applies, nothing is allowed"
      ])
  }
}
