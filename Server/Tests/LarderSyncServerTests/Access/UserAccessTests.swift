import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct UserAccessTests {
  private let task = SchemaClass(
    "Task", primaryKey: "id",
    properties: [
      SchemaProperty("id", .int), SchemaProperty("owner", .string, isOptional: true, isQueryable: true),
      SchemaProperty("note", .string),
    ])
  private var schema: SyncSchema { SyncSchema(version: 3, classes: [task]) }
  private let name = ObjectName(className: "Task", key: .int(1))

  private func claims(_ subject: String) -> UserClaims {
    UserClaims(subject: subject, expires: 0, values: ["sub": [.string(SyncText(subject))]])
  }

  private func own(_ subject: String) throws -> ReadRule {
    .matching(try RuleQuery("owner == claims.sub", in: task, claims: claims(subject).values))
  }

  private func owned(by owner: String) -> ObjectState {
    var state = ObjectState()
    let site = SiteID(high: 0, low: 7)
    let properties = [CreatedProperty("owner", .string(SyncText(owner)))]
    _ = state.merge(.create(properties), stamp: Stamp(time: SyncTime(rawValue: 5), site: site, operation: 0))
    return state
  }

  private func set(_ property: SyncText, _ value: SyncValue) -> SyncOperation {
    SyncOperation(name, .set(SyncPath(property), value))
  }

  @Test("a policy of everything allows all operations on classes of the schema, and refuses other classes")
  func everything() {
    let policy = AccessPolicy.everything(schema: schema)
    let access = policy.access(for: claims("ann"))
    #expect(policy.version == 3)
    #expect(access.readRule("Task") == .everything)
    #expect(access.readRule("Other") == .nothing)
    for edit in [SyncEdit.create([]), .delete, .set(SyncPath("note"), .string("x"))] {
      let operation = SyncOperation(name, edit)
      #expect(access.refusal(of: operation, before: owned(by: "bob")) == nil)
      #expect(!access.looksAfter(operation))
    }
    let other = SyncOperation(ObjectName(className: "Other", key: .int(1)), .delete)
    #expect(access.refusal(of: other, before: ObjectState()) == .schema)
  }

  @Test("Y-27: without a rule everything is refused")
  func nothing() {
    let access = AccessPolicy.nothing(schema: schema).access(for: claims("ann"))
    #expect(access.readRule("Task") == .nothing)
    #expect(access.refusal(of: SyncOperation(name, .create([])), before: ObjectState()) == .insert)
    #expect(access.refusal(of: set("note", .null), before: owned(by: "ann")) == .objectBefore)
    #expect(access.refusal(of: SyncOperation(name, .delete), before: owned(by: "ann")) == .delete)
  }

  @Test("Y-27: a change is refused by what the object is before it and by what it is after it")
  func beforeAndAfter() throws {
    let rule = ClassAccess(read: .everything, write: try own("ann"), insert: try own("ann"), delete: .nothing)
    let access = UserAccess(["Task": rule], in: schema)
    let change = set("note", .string("x"))
    #expect(access.refusal(of: change, before: owned(by: "ann")) == nil)
    #expect(access.refusal(of: change, before: owned(by: "bob")) == .objectBefore)
    #expect(access.looksAfter(change))
    #expect(access.refusalAfter(change, owned(by: "ann")) == nil)
    #expect(access.refusalAfter(change, owned(by: "bob")) == .objectAfter)
    let creation = SyncOperation(name, .create([]))
    #expect(access.refusal(of: creation, before: ObjectState()) == nil)
    #expect(access.refusalAfter(creation, owned(by: "bob")) == .insert)
    #expect(access.refusal(of: SyncOperation(name, .delete), before: owned(by: "ann")) == .delete)
  }

  @Test("Y-27: a property outside the list of writable ones is refused in objects that are there, not in new ones")
  func properties() {
    var rule = ClassAccess.everything
    rule.writableProperties = ["note"]
    let access = UserAccess(["Task": rule], in: schema)
    #expect(access.refusal(of: set("note", .null), before: owned(by: "ann")) == nil)
    #expect(access.refusal(of: set("owner", .null), before: owned(by: "ann")) == .property)
    let creation = SyncOperation(name, .create([CreatedProperty("owner", .string("ann"))]))
    #expect(access.refusal(of: creation, before: ObjectState()) == nil)
    #expect(access.refusal(of: creation, before: owned(by: "ann")) == .property)
  }

  @Test("F-117: what is refused of an object that is hidden is refused alike of one that is not there")
  func hidden() throws {
    let rules = [ReadRule.nothing, try own("ann"), .everything]
    let edits: [SyncEdit] = [
      .create([CreatedProperty("owner", .string("ann"))]), .create([CreatedProperty("owner", .string("bob"))]),
      .create([]),
      .delete, .set(SyncPath("note"), .string("x")), .set(SyncPath("owner"), .null),
    ]
    var refused = 0
    for read in rules where read != .everything {
      for write in rules {
        for insert in rules {
          for delete in rules {
            for properties in [nil, ["note"]] as [Set<SyncText>?] {
              let access = UserAccess(
                [
                  "Task": ClassAccess(
                    read: read, write: write, insert: insert, delete: delete, writableProperties: properties)
                ], in: schema)
              for edit in edits {
                let operation = SyncOperation(name, edit)
                guard let hidden = answer(access, operation, owned(by: "bob")) else { continue }
                let absent = answer(access, operation, ObjectState())
                if case .create = edit {
                  // One that is not there may be created where that is allowed; it is refused with the same answer otherwise.
                  #expect(hidden == .insert && (absent == nil || absent == .insert), "\(edit), \(access)")
                } else {
                  #expect(hidden == absent, "\(edit), \(access)")
                }
                refused += 1
              }
            }
          }
        }
      }
    }
    #expect(refused > 100)
    // Who sees everything gets the reason.
    let all = UserAccess(["Task": ClassAccess(read: .everything)], in: schema)
    #expect(answer(all, SyncOperation(name, .create([])), owned(by: "bob")) == .objectBefore)
    #expect(all.refusal(of: set("note", .null), before: ObjectState()) == .objectBefore)
  }

  /// Returns the answer to an operation, with the checks in the order in which the server makes them.
  private func answer(_ access: UserAccess, _ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    if let reason = access.refusal(of: operation, before: state) { return reason }
    guard access.looksAfter(operation) else { return nil }
    var after = state
    _ = after.merge(
      operation.edit, stamp: Stamp(time: SyncTime(rawValue: 9), site: SiteID(high: 0, low: 8), operation: 0))
    return access.refusalAfter(operation, after)
  }

  @Test("users have equal access when the claims that rules ask for are equal")
  func equality() throws {
    var values = claims("ann").values
    let ann = try RuleQuery("owner == claims.sub", in: task, claims: values)
    values["device"] = [.int(9)]
    #expect(try RuleQuery("owner == claims.sub", in: task, claims: values) == ann)
    #expect(try own("ann") != own("bob"))
  }
}
