/// The classes of a store at one version, found by id and by name.
public final class StoreSchema: Sendable {
  /// In order of class id.
  public let classes: [ClassDescriptor]
  /// The user's schema version; nil for a file that never had a schema (M-30).
  public let schemaVersion: UInt64?
  private let indexByName: [String: Int]
  /// By class number: where the class is, or -1.
  private let indexByNumber: [Int]
  private let primaryKeys: [PrimaryKeyColumn?]
  /// By class number and column number: the types of columns with an index.
  private let indexedTypes: [[ColumnType?]]
  /// By class number: one more than the highest column number; 0 where there is no class.
  package let columnCounts: [Int]
  /// By target: the link columns that lead to it; and all columns of mixed values. Places of a class and of a column of it.
  private let linking: [ClassID: [ColumnPlace]]
  private let mixed: [ColumnPlace]
  /// By class number: whether changes of it may have to go to other devices. Empty where no class is synced.
  package let synced: [Bool]
  /// A hash of what gives stored bytes their meaning (L-27).
  package let fingerprint: UInt64

  private struct ColumnPlace: Comparable {
    let owner: Int
    let column: Int

    static func < (lhs: ColumnPlace, rhs: ColumnPlace) -> Bool { (lhs.owner, lhs.column) < (rhs.owner, rhs.column) }
  }

  /// The column of a class's primary key.
  public struct PrimaryKeyColumn: Sendable {
    public let id: ColumnID
    public let type: ColumnType
  }

  public init(classes: [ClassDescriptor], schemaVersion: UInt64?) {
    let sorted = classes.sorted { $0.id < $1.id }
    self.classes = sorted
    self.schemaVersion = schemaVersion
    self.fingerprint = SchemaFingerprint.hash(sorted)
    self.indexByName = Dictionary(sorted.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers = [Int](repeating: -1, count: Int(sorted.last?.id.rawValue ?? 0) + 1)
    for (index, entry) in sorted.enumerated() { numbers[Int(entry.id.rawValue)] = index }
    self.indexByNumber = numbers
    self.columnCounts = numbers.map { index in
      index < 0 ? 0 : Int(sorted[index].columns.map(\.id.rawValue).max() ?? 0) + 1
    }
    self.indexedTypes = numbers.map { index in
      guard index >= 0 else { return [] }
      let columns = sorted[index].columns
      var types = [ColumnType?](repeating: nil, count: Int(columns.map(\.id.rawValue).max() ?? 0) + 1)
      for column in columns where column.hasIndex { types[Int(column.id.rawValue)] = column.type }
      return types
    }
    var linking: [ClassID: [ColumnPlace]] = [:]
    var mixed: [ColumnPlace] = []
    for (owner, entry) in sorted.enumerated() {
      for (number, column) in entry.columns.enumerated() {
        let place = ColumnPlace(owner: owner, column: number)
        if let target = column.target { linking[target, default: []].append(place) }
        if column.type == .mixed, column.target == nil { mixed.append(place) }
      }
    }
    (self.linking, self.mixed) = (linking, mixed)
    self.synced = Self.synced(sorted, numbers)
    self.primaryKeys = numbers.map { index in
      index < 0 ? nil : sorted[index].primaryKey.map { PrimaryKeyColumn(id: $0.id, type: $0.type) }
    }
  }

  /// Synced classes, and the embedded ones that objects of them may hold.
  private static func synced(_ classes: [ClassDescriptor], _ places: [Int]) -> [Bool] {
    guard classes.contains(where: { $0.syncMode != .local }) else { return [] }
    var result = places.map { $0 >= 0 && classes[$0].syncMode != .local }
    var waiting = classes.filter { $0.syncMode != .local }
    while let owner = waiting.popLast() {
      for target in owner.columns.compactMap(\.target) where !result[Int(target.rawValue)] {
        let held = classes[places[Int(target.rawValue)]]
        guard held.isEmbedded else { continue }
        result[Int(target.rawValue)] = true
        waiting.append(held)
      }
    }
    return result
  }

  /// True if any class is synced.
  package var hasSync: Bool { !synced.isEmpty }

  /// Returns true if changes of a class may have to go to other devices.
  package func isSynced(_ id: ClassID) -> Bool { Int(id.rawValue) < synced.count && synced[Int(id.rawValue)] }

  public subscript(_ name: String) -> ClassDescriptor? { indexByName[name].map { classes[$0] } }
  public subscript(_ id: ClassID) -> ClassDescriptor? {
    let number = Int(id.rawValue)
    guard number < indexByNumber.count, indexByNumber[number] >= 0 else { return nil }
    return classes[indexByNumber[number]]
  }

  /// The primary key of a class, without copying its descriptor.
  public func primaryKey(of id: ClassID) -> PrimaryKeyColumn? {
    Int(id.rawValue) < primaryKeys.count ? primaryKeys[Int(id.rawValue)] : nil
  }

  /// The type of a column, without copying descriptors where numbers follow each other, as they do until a column is removed.
  func type(of column: ColumnID, in id: ClassID) -> ColumnType? {
    let (number, place) = (Int(id.rawValue), Int(column.rawValue) - 1)
    guard number < indexByNumber.count, indexByNumber[number] >= 0 else { return nil }
    let index = indexByNumber[number]
    if place >= 0, place < classes[index].columns.count, classes[index].columns[place].id == column {
      return classes[index].columns[place].type
    }
    return classes[index].column(column)?.type
  }

  /// The type of a column that has an index of its own, without copying its descriptor; nil for any other.
  package func indexedType(_ id: ClassID, _ column: ColumnID) -> ColumnType? {
    let (number, place) = (Int(id.rawValue), Int(column.rawValue))
    guard number < indexedTypes.count, place < indexedTypes[number].count else { return nil }
    return indexedTypes[number][place]
  }

  /// Columns that may link to objects of the class: link columns and, unless it is embedded, those of mixed values.
  func incoming(to target: ClassDescriptor) -> [(origin: ClassDescriptor, column: ColumnDescriptor)] {
    let links = linking[target.id] ?? []
    return resolve(target.isEmbedded ? links : links.isEmpty ? mixed : (links + mixed).sorted())
  }

  private func resolve(_ places: [ColumnPlace]) -> [(origin: ClassDescriptor, column: ColumnDescriptor)] {
    places.map { (classes[$0.owner], classes[$0.owner].columns[$0.column]) }
  }

  /// Link columns (to-one or collection) whose target is the class: where links to its objects can come from.
  public func origins(of target: ClassID) -> [(origin: ClassDescriptor, column: ColumnDescriptor)] {
    resolve(linking[target] ?? [])
  }
}
