/// The report of what an import of a `.realm` file carried, and what it could not.
package struct RealmImportReport: Hashable, Sendable {
  /// A class, with how many of its objects are in the file and in the store.
  package struct ClassCount: Hashable, Sendable {
    package var name: String
    package var isEmbedded: Bool
    package var found: Int
    package var carried = 0
    /// Links that its properties hold in the store.
    package var links = 0
  }

  /// A table of the file that is no class of the store.
  package struct SkippedTable: Hashable, Sendable {
    package var name: String
    /// Nil where they were not counted: of Realm's own tables.
    package var objects: Int?
    package var why: String
  }

  /// A property that the store does not have, or has otherwise than the file.
  package struct PropertyNotice: Hashable, Sendable {
    package var className: String
    package var property: String
    package var why: String
  }

  /// The file's format, 10 to 24.
  package var format: Int
  package var schemaVersion: UInt64
  /// In the order of the file.
  package internal(set) var classes: [ClassCount] = []
  package internal(set) var skippedTables: [SkippedTable] = []
  package internal(set) var notices: [PropertyNotice] = []
  /// The places where the file contradicts itself about links, as sentences. What it says of where links come from is not imported.
  package internal(set) var faults: [String] = []
  /// Links to objects that were deleted or never synchronised, of which the file keeps the primary key. Realm reads them as nil, and so does
  /// the store: they are no omissions.
  package internal(set) var unresolvedLinks = 0
  /// The first ones, in the order in which they were found.
  package private(set) var omissions: [RealmOmission] = []
  /// The number of omissions of each kind, listed or not.
  package private(set) var omissionCounts: [RealmOmission.Reason: Int] = [:]

  /// So many omissions are listed one by one: a damaged file may have millions.
  package static let listed = 10_000

  package init(format: Int, schemaVersion: UInt64) {
    self.format = format
    self.schemaVersion = schemaVersion
  }

  /// Objects of all classes that are in the store, embedded ones included.
  package var objects: Int { classes.reduce(0) { $0 + $1.carried } }
  /// The number of things left out of the objects that were carried, plus the number of objects left out.
  package var omissionCount: Int { omissionCounts.values.reduce(0, +) }
  /// True if the store has everything that the classes of the file hold.
  package var isComplete: Bool {
    omissionCount == 0 && skippedTables.allSatisfy { ($0.objects ?? 0) == 0 } && notices.isEmpty
  }

  mutating func add(_ omission: RealmOmission) {
    omissionCounts[omission.reason, default: 0] += 1
    if omissions.count < Self.listed { omissions.append(omission) }
  }
}
