import LarderLocks
import LarderStorage
import TestSupport

@testable import LarderObservation

/// A store of nodes: `value`, `label`, a link `next`, a list of links `others`, a list of numbers, an embedded note.
final class NodeStore: Sendable {
  let directory: TemporaryDirectory
  let store: Store
  let node: ClassID
  let note: ClassID
  let value: ColumnID
  let label: ColumnID
  let next: ColumnID
  let others: ColumnID
  let numbers: ColumnID
  let noteColumn: ColumnID
  let noteText: ColumnID

  init(clusterSize: Int = 8, key: EncryptionKey? = nil) throws {
    directory = try TemporaryDirectory("observation")
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    options.encryptionKey = key
    store = try Store.open(path: directory.file("nodes.larder"), options: options)
    let writer = try store.beginWrite()
    try writer.apply(
      [
        ClassDeclaration(
          name: "Node",
          columns: [
            ColumnDeclaration(name: "value", type: .int),
            ColumnDeclaration(name: "label", type: .string),
            ColumnDeclaration(name: "next", type: .link, isOptional: true, target: "Node"),
            ColumnDeclaration(name: "others", type: .link, collection: .list, target: "Node"),
            ColumnDeclaration(name: "numbers", type: .int, collection: .list),
            ColumnDeclaration(name: "note", type: .link, isOptional: true, target: "Note"),
          ]),
        ClassDeclaration(name: "Note", isEmbedded: true, columns: [ColumnDeclaration(name: "text", type: .string)]),
      ], schemaVersion: 0)
    try writer.commit()
    let schema = try store.snapshot().schema
    let descriptor = schema["Node"]!
    node = descriptor.id
    note = schema["Note"]!.id
    func column(_ name: String) -> ColumnID { descriptor.column(named: name)!.id }
    value = column("value")
    label = column("label")
    next = column("next")
    others = column("others")
    numbers = column("numbers")
    noteColumn = column("note")
    noteText = schema["Note"]!.column(named: "text")!.id
  }

  @discardableResult
  func write<R>(_ body: (StoreWriter) throws -> R) throws -> R {
    let writer = try store.beginWrite()
    do {
      let result = try body(writer)
      try writer.commit()
      return result
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Creates nodes with these values in one transaction.
  @discardableResult
  func add(_ values: Int64...) throws -> [ObjectKey] {
    try write { writer in try values.map { try create(writer, $0) } }
  }

  func create(_ writer: StoreWriter, _ number: Int64) throws -> ObjectKey {
    let key = try writer.create(node)
    try writer.set(node, value, key, .int(number))
    return key
  }

  func set(_ key: ObjectKey, _ number: Int64) throws {
    try write { try $0.set(node, value, key, .int(number)) }
  }

  func relabel(_ key: ObjectKey) throws { try write { try $0.set(node, label, key, .string("x")) } }

  func link(_ from: ObjectKey, _ to: ObjectKey?) throws {
    try write { try $0.set(node, next, from, to.map { .link($0) } ?? .null) }
  }

  func delete(_ key: ObjectKey) throws { try write { try $0.delete(node, key) } }

  func query(
    atLeast least: Int64 = .min, throughLink: Bool = false, sorted: Bool = false, opaque: Bool = false
  ) -> NodeQuery {
    NodeQuery(
      classID: node, value: value, next: next, least: least, throughLink: throughLink, isSorted: sorted,
      isOpaque: opaque)
  }
}

/// `value >= least` or `next.value >= least`, in order of key or of that value.
struct NodeQuery: ObservedQuery {
  let classID: ClassID
  let value: ColumnID
  let next: ColumnID
  let least: Int64
  let throughLink: Bool
  let isSorted: Bool
  /// Hides what it depends on, as a query with a limit does.
  let isOpaque: Bool
  /// Counts full evaluations.
  let runs = Counter()

  final class Counter: Sendable {
    private let number = Lock(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  var order: ObservedOrder { isSorted ? .sorted : .byKey }
  var classes: Set<ClassID> { [classID] }
  var dependencies: [DependencyPath]? {
    if isOpaque { return nil }
    let step = PathStep(classID, value)
    return throughLink ? [[PathStep(classID, next), step]] : [[step]]
  }

  /// Nil when there is no link to go through: such a node is no element, and sorts first.
  private func number(_ key: ObjectKey, _ reader: any StoreReader) throws -> Int64? {
    var holder = key
    if throughLink {
      guard case .link(let target) = try reader.value(classID, next, key) else { return nil }
      holder = target
    }
    guard case .int(let number) = try reader.value(classID, value, holder) else { return nil }
    return number
  }

  func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    try number(key, reader).map { $0 >= least } ?? false
  }

  func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool {
    let left = try number(lhs, reader) ?? .min
    let right = try number(rhs, reader) ?? .min
    return left == right ? lhs < rhs : left < right
  }

  func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] {
    runs.add()
    var keys: [ObjectKey] = []
    for cluster in 0..<(try reader.clusterCount(of: classID)) {
      for slot in 0..<reader.clusterSize {
        let key = ObjectKey(rawValue: UInt64(cluster * reader.clusterSize + slot))
        if try reader.contains(classID, key), try matches(key, in: reader) { keys.append(key) }
      }
    }
    return isSorted ? try keys.sorted { try precedes($0, $1, in: reader) } : keys
  }
}

extension CollectionChangeSet {
  /// The new keys from the old ones, with inserted keys looked up in `new`.
  func apply(to old: [ObjectKey], new: [ObjectKey]) -> [ObjectKey] {
    var result = old
    for index in deletions.reversed() { result.remove(at: index) }
    for index in insertions { result.insert(new[index], at: index) }
    return result
  }
}
