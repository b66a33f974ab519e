import Foundation
import LarderLMDB
import TestSupport

@testable import LarderStorage

/// A list in a file of its own, between two neighbours, and the array it must equal.
final class ListFixture {
  let directory: TemporaryDirectory
  let environment: Environment
  let tree: ListTree
  private let neighbours: [ListTree]
  private(set) var model: [StoredValue] = []

  init(_ type: ColumnType, isOptional: Bool = false, limits: ListLimits = ListLimits()) throws {
    directory = try TemporaryDirectory("list")
    var options = EnvironmentOptions(tables: ["collections"])
    options.durability = .none
    environment = try Environment.open(path: directory.file("store"), options: options)
    let table = environment.table("collections")
    func tree(_ object: UInt64) -> ListTree {
      ListTree(
        table: table, columnWord: StoreLayout.columnWord(ClassID(rawValue: 3), ColumnID(rawValue: 4)),
        object: ObjectKey(rawValue: object), type: type, isOptional: isOptional, limits: limits)
    }
    self.tree = tree(50)
    neighbours = [tree(49), tree(51)]
    for neighbour in neighbours {
      try write { transaction in
        let editor = try ListEditor(neighbour, transaction: transaction)
        try editor.insert(Array(repeating: ListFixture.zero(type), count: 30), at: 0)
        try editor.flush(transaction)
      }
    }
  }

  static func zero(_ type: ColumnType) -> StoredValue {
    switch type {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string(String(repeating: "z", count: 1_500))
    case .data: .data(Data())
    case .date: .date(Timestamp(seconds: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(ObjectIdBytes(high: 0, low: 0))
    case .decimal128: .decimal128(.zero)
    case .link: .link(ObjectKey(rawValue: 0))
    case .mixed: .null
    }
  }

  func write(_ body: (WriteTransaction) throws -> Void) throws {
    let transaction = try environment.beginWrite()
    try body(transaction)
    try transaction.commit()
  }

  /// Changes list and model alike in one transaction.
  func edit(_ body: (ListEditor, inout [StoredValue], WriteTransaction) throws -> Void) throws {
    try write { transaction in
      let editor = try ListEditor(tree, transaction: transaction)
      try body(editor, &model, transaction)
      try editor.flush(transaction)
    }
  }

  func withView<Result>(_ body: (ListView) throws -> Result) throws -> Result {
    let transaction = try environment.beginRead()
    return try body(try ListView(tree, get: transaction.get))
  }

  /// Everything stored, through chunks and, where those say so, by position.
  func contents() throws -> [StoredValue] { try withView { try Self.contents($0) } }

  static func contents(_ list: some ListReading) throws -> [StoredValue] {
    var result: [StoredValue] = []
    try list.forEachChunk { first, leaf in
      if first != result.count { return false }
      for slot in 0..<leaf.count {
        result.append(try leaf.isLarge(slot) ? list.value(at: first + slot) : leaf.value(slot))
      }
      return true
    }
    return result
  }

  func problems() throws -> [StructureProblem] {
    let transaction = try environment.beginRead()
    var problems: [StructureProblem] = []
    for tree in neighbours + [tree] {
      problems += try tree.verify(cursor: try transaction.cursor(tree.table), get: transaction.get)
    }
    for neighbour in neighbours where try ListView(neighbour, get: transaction.get).count != 30 {
      problems.append(StructureProblem(table: "collections", key: neighbour.key(0), "a neighbour changed"))
    }
    return problems
  }

  /// Entries in the table beyond those of the neighbours.
  func entryCount() throws -> Int {
    let transaction = try environment.beginRead()
    var count = 0
    let cursor = try transaction.cursor(tree.table)
    var entry = try cursor.first()
    while let found = entry {
      if found.key.loadBigEndian(8, as: UInt64.self) == tree.object.rawValue { count += 1 }
      entry = try cursor.next()
    }
    return count
  }
}
