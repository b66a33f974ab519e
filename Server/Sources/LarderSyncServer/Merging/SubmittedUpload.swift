import LarderSyncProtocol

/// A commit of a device that was checked and can be merged.
public struct SubmittedUpload: Sendable {
  /// The site that made the commit.
  public let site: SiteID
  /// The commit.
  public let commit: SyncCommit
  /// The access of its user.
  public let access: UserAccess
  /// The number of bytes of uploads that the commit is, or its share of them: batches are limited by their bytes too.
  public let size: Int
  /// The objects that it names and the schema knows, each once, in the order of `row.keys`.
  let names: [ObjectName]
  /// Returns true if the device may create an object that the commit leaves with a summary; nil for all.
  let mayCreate: Creation?
  /// True if the server refuses all of it, because the database does not take the result.
  private(set) var isQuarantined = false

  /// The commit with everything in it refused.
  var quarantined: SubmittedUpload {
    var upload = self
    upload.isQuarantined = true
    return upload
  }

  /// A test for the objects that a device may create.
  typealias Creation = @Sendable (ObjectName, ObjectSummary) -> Bool
  /// The row of the commit for the store.
  let row: Upload

  /// Checks a commit that came over a session of its site. It costs time in the size of the commit.
  ///
  /// - Throws: `UnmergeableCommit`, with the operation that is wrong. Commits before it can be merged.
  public init(
    site: SiteID, session: Int64, commit: SyncCommit, access: UserAccess, size: Int
  ) throws(UnmergeableCommit) {
    try self.init(site: site, session: session, commit: commit, access: access, size: size, mayCreate: nil)
  }

  /// Checks a commit of a device that may create what its subscriptions ask for.
  ///
  /// - Throws: as the initializer without `mayCreate`.
  init(
    site: SiteID, session: Int64, commit: SyncCommit, access: UserAccess, size: Int, mayCreate: Creation?
  ) throws(UnmergeableCommit) {
    try commit.checkMergeable(site: site)
    self.site = site
    self.commit = commit
    self.access = access
    self.mayCreate = mayCreate
    self.size = size
    names = commit.names { access.storedClass($0) != nil }
    // The bytes are left out: the merger has the commit decoded, and the log keeps what it came to.
    row = Upload(
      site: SiteKey(site), session: session, siteVersion: Int64(commit.siteVersion), nonce: commit.nonce,
      time: commit.time.rawValue, keys: names.map { ObjectKey($0) }, body: [])
  }
}

extension SyncCommit {
  /// The objects of classes that are known, each once.
  fileprivate func names(_ isKnown: (SyncText) -> Bool) -> [ObjectName] {
    var names: [ObjectName] = []
    var seen: Set<ObjectName> = []
    var previous: ObjectName?
    for operation in operations where operation.object != previous {
      previous = operation.object
      guard isKnown(operation.object.className) else { continue }
      if names.isEmpty || seen.insert(operation.object).inserted {
        // The set is filled from the second object on: most commits name one.
        if names.count == 1 { seen.insert(names[0]) }
        if names.first != operation.object { names.append(operation.object) }
      }
    }
    return names
  }
}

extension UserAccess {
  /// The class of objects that the store has rows for; nil for one that the schema does not know, or whose objects are within others.
  func storedClass(_ name: SyncText) -> SchemaClass? {
    guard let schemaClass = schemaClass(name), schemaClass.kind != .embedded else { return nil }
    return schemaClass
  }
}
