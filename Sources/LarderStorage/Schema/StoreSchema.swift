/// The classes of a store at one version, found by id and by name.
public final class StoreSchema: Sendable {
  /// In order of class id.
  public let classes: [ClassDescriptor]
  /// The user's schema version; nil for a file that never had a schema (M-30).
  public let schemaVersion: UInt64?
  private let indexByName: [String: Int]
  private let indexByID: [ClassID: Int]

  public init(classes: [ClassDescriptor], schemaVersion: UInt64?) {
    let sorted = classes.sorted { $0.id < $1.id }
    self.classes = sorted
    self.schemaVersion = schemaVersion
    self.indexByName = Dictionary(sorted.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.indexByID = Dictionary(sorted.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public subscript(_ name: String) -> ClassDescriptor? { indexByName[name].map { classes[$0] } }
  public subscript(_ id: ClassID) -> ClassDescriptor? { indexByID[id].map { classes[$0] } }

  /// Link columns (to-one or collection) whose target is the class: where links to its objects can come from.
  public func origins(of target: ClassID) -> [(origin: ClassDescriptor, column: ColumnDescriptor)] {
    classes.flatMap { origin in origin.columns.filter { $0.target == target }.map { (origin, $0) } }
  }
}
