import LarderLMDB

/// A list opened for changes in a write transaction: kept decoded, written once by `flush`.
package final class ListEditor: ListReading {
  private let table: Table
  private let column: ColumnDescriptor
  private let key: KeyBytes
  private var elements: [StoredValue]
  private var isDirty = false

  init(
    table: Table, classID: ClassID, column: ColumnDescriptor, object: ObjectKey, isNew: Bool,
    transaction: WriteTransaction
  ) throws {
    self.table = table
    self.column = column
    key = Self.key(classID, column.id, object)
    elements = []
    if !isNew, let bytes = try transaction.get(table, key) {
      let leaf = try LeafView(bytes)
      elements = try (0..<leaf.count).map { leaf.isNull($0) ? .null : try leaf.value($0) }
    }
  }

  static func key(_ classID: ClassID, _ column: ColumnID, _ object: ObjectKey) -> KeyBytes {
    KeyBytes(StoreLayout.columnWord(classID, column), object.rawValue, 0)
  }

  package var count: Int { elements.count }
  package func value(at position: Int) throws -> StoredValue { elements[position] }
  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    guard !elements.isEmpty else { return }
    let owned = OwnedLeaf(encode())
    _ = try body(0, try LeafView(owned.view))
  }

  private func encode() -> [UInt8] {
    let buffer = ColumnBuffer(type: column.type, capacity: elements.count, isOptional: column.isOptional)
    for (slot, value) in elements.enumerated() { value.isNull ? buffer.setNull(slot) : buffer.set(slot, value) }
    return buffer.encode(key: 0, softLimit: .max).bytes
  }

  func insert(_ values: [StoredValue], at position: Int) throws {
    isDirty = true
    elements.insert(contentsOf: values, at: position)
  }

  func remove(_ range: Range<Int>) throws {
    isDirty = true
    elements.removeSubrange(range)
  }

  func set(at position: Int, _ value: StoredValue) throws {
    isDirty = true
    elements[position] = value
  }

  func move(from source: Int, to target: Int) throws {
    isDirty = true
    elements.insert(elements.remove(at: source), at: target)
  }

  func clear() throws {
    isDirty = true
    elements = []
  }

  func flush(_ transaction: WriteTransaction) throws {
    guard isDirty else { return }
    isDirty = false
    if elements.isEmpty { try transaction.delete(table, key) } else { try transaction.put(table, key, encode()) }
  }
}

/// A stored list.
struct ListView: ListReading {
  let leaf: LeafView?
  var count: Int { leaf?.count ?? 0 }

  func value(at position: Int) throws -> StoredValue {
    guard let leaf, position >= 0, position < leaf.count else { preconditionFailure("list position out of range") }
    return leaf.isNull(position) ? .null : try leaf.value(position)
  }

  func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    if let leaf { _ = try body(0, leaf) }
  }
}
