import LarderSyncProtocol

@testable import LarderSyncServer

/// A class with a property of each kind that merges in its own way.
enum TaskSchema {
  static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Task", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("owner", .string, isOptional: true, isQueryable: true),
          SchemaProperty("rank", .int, isOptional: true, isQueryable: true),
          SchemaProperty("weight", .double, isOptional: true, isQueryable: true),
          SchemaProperty("count", .int, merge: .counter), SchemaProperty("tags", .string, collection: .set),
          SchemaProperty("notes", .string, collection: .list), SchemaProperty("marks", .int, collection: .map),
          SchemaProperty("place", .embedded, isOptional: true, target: "Place"),
        ]),
      SchemaClass("Place", kind: .embedded, primaryKey: nil, properties: [SchemaProperty("street", .string)]),
    ])

  /// A user who may do everything.
  static let everything = access("ann", AccessPolicy.everything(schema: schema))

  static func access(_ subject: String, _ policy: AccessPolicy) -> UserAccess {
    policy.access(for: UserClaims(subject: subject, expires: 0, values: ["sub": [.string(SyncText(subject))]]))
  }

  /// A user who may only write what has the user as owner.
  static func owner(_ subject: String) throws -> UserAccess {
    let own = ReadRule.matching(
      try RuleQuery("owner == claims.sub", in: schema.classes[1], claims: ["sub": [.string(SyncText(subject))]]))
    return UserAccess(["Task": ClassAccess(read: own, write: own, insert: own, delete: own)], in: schema)
  }

  static func task(_ number: Int) -> ObjectName { ObjectName(className: "Task", key: .int(Int64(number))) }
}

extension SiteID {
  /// A site for tests by a number.
  static func test(_ number: Int) -> SiteID { SiteID(high: 0x5173, low: UInt64(number)) }
}

extension SyncCommit {
  /// A commit for tests: its time is its number in seconds.
  static func test(_ siteVersion: Int, _ operations: [SyncOperation]) -> SyncCommit {
    SyncCommit(
      siteVersion: UInt64(siteVersion), time: SyncTime(milliseconds: UInt64(siteVersion) * 1000),
      nonce: UInt64(siteVersion) &* 0x9E37_79B9_7F4A_7C15, operations: operations)
  }

  static func create(_ siteVersion: Int, task number: Int, owner: String? = nil) -> SyncCommit {
    let properties = [CreatedProperty("owner", owner.map { .string(SyncText($0)) } ?? .null)]
    return .test(siteVersion, [SyncOperation(TaskSchema.task(number), .create(properties))])
  }

  static func set(_ siteVersion: Int, task number: Int, _ property: SyncText, _ value: SyncValue) -> SyncCommit {
    .test(siteVersion, [SyncOperation(TaskSchema.task(number), .set(SyncPath(property), value))])
  }
}

extension SubmittedUpload {
  static func test(
    _ site: SiteID, _ commit: SyncCommit, session: Int64 = 1, access: UserAccess = TaskSchema.everything
  ) throws -> SubmittedUpload {
    try SubmittedUpload(site: site, session: session, commit: commit, access: access, size: 100)
  }
}

extension TestStore {
  /// A tenant with sites in their first session.
  func makeTenant(_ sites: [SiteID]) async throws -> TenantID { try await makeTenant(sites: sites.map { SiteKey($0) }) }

  /// The commits of the log.
  func commits(_ tenant: TenantID) async throws -> [MergedCommit<ObjectSummary>] {
    try await log(tenant).map { try MergedCommit($0) }
  }

  /// The bytes of the states of tasks, as far as there are rows of them.
  func states(_ tenant: TenantID, _ tasks: [Int]) async throws -> [Int: [UInt8]] {
    let states = try await store.read { try $0.states(tenant, .first, of: tasks.map { TaskSchema.task($0) }) }
    var bytes: [Int: [UInt8]] = [:]
    for task in tasks { bytes[task] = states[TaskSchema.task(task)]?.encoded() }
    return bytes
  }
}
