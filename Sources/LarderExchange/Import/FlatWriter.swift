import LarderStorage

/// Makes objects of flat records in place: values go from the file's bytes into columns without being made in between.
///
/// It takes only records that are sure to be right. All others are left to be read one by one, which finds their faults.
final class FlatWriter {
  private let writer: StoreWriter
  private let rows: RowWriter
  private let root: BoundClass
  private let values: ValueConverter
  private let forms: FlatForms
  @exclusivity(unchecked) private var targets: ContiguousArray<FlatTarget> = []
  @exclusivity(unchecked) private var boundNames = -1
  private let slots = PlaceTable(repeating: FlatSlot(), count: 0)
  private var boxed: [StoredValue] = []

  /// Nil for a class that is more than scalars and links to other classes, and where the forms of values cannot be seen in place.
  init?(_ root: BoundClass, _ values: ValueConverter, _ writer: StoreWriter) throws {
    guard let forms = FlatForms(values.forms), !root.descriptor.isEmbedded else {
      return nil
    }
    for property in root.properties {
      switch property.plan.kind {
      case .scalar(let type, _): if type == .mixed || type == .link { return nil }
      case .link(let link): if link.isDeferred || property.finder == nil { return nil }
      default: return nil
      }
    }
    self.root = root
    self.values = values
    self.forms = forms
    self.writer = writer
    rows = try writer.rowWriter(root.descriptor.id)
  }

  /// Finds the places of the fields, where there are more than before.
  private func bind(_ names: [String]) {
    guard names.count != boundNames else { return }
    boundNames = names.count
    targets = []
    for property in root.properties {
      let place = names.firstIndex { ByteName.areSame($0, property.plan.source) } ?? -1
      switch property.plan.kind {
      case .scalar(let type, let isOptional):
        targets.append(FlatTarget(place: place, column: property.column, type: type, isOptional: isOptional))
      case .link:
        targets.append(FlatTarget(place: place, column: property.column, type: .link, isOptional: true))
      default: continue
      }
    }
    slots.grow(to: targets.count, repeating: FlatSlot())
    boxed = Array(repeating: .null, count: targets.count)
  }

  /// Makes an object of a record; false, with nothing done, where the record has to be read one by one.
  ///
  /// - Throws: `StorageError` for what is not the record's fault.
  func add(_ row: FlatRow, _ names: [String]) throws -> Bool {
    bind(names)
    for index in targets.indices {
      guard convert(row, index) else { return false }
    }
    guard let key = try makeRow() else { return false }
    for index in targets.indices where index != root.primaryKeyIndex { try fill(index, key, row.bytes) }
    return true
  }

  /// The next object; nil where its primary key is taken or is none.
  private func makeRow() throws -> ObjectKey? {
    guard let index = root.primaryKeyIndex else { return try rows.create() }
    do {
      switch slots[index].kind {
      case .integer: return try rows.create(primaryKey: slots[index].integer)
      case .boxed: return try rows.create(primaryKey: boxed[index], intent: .create)
      default: return nil
      }
    } catch let error as StorageError where error.code == .duplicatePrimaryKey { return nil }
  }

  // MARK: - Reading

  @inline(__always)
  private func convert(_ row: FlatRow, _ index: Int) -> Bool {
    let target = targets[index]
    guard target.place >= 0 else { return noValue(target, index) }
    var cell = row.cells[target.place]
    switch cell.kind {
    case .absent, .null: return noValue(target, index)
    case .text where cell.start == cell.end && (target.isOptional || target.type != .string):
      return noValue(target, index)
    case .string where cell.start == cell.end && target.type == .link: return noValue(target, index)
    case .text, .string:
      if forms.isNull(row.bytes, cell.range) { return noValue(target, index) }
    default: break
    }
    if cell.kind == .text, target.type != .string, target.type != .link { cell.range = row.bytes.trimmed(cell.range) }
    switch target.type {
    case .int:
      guard cell.kind == .text || cell.kind == .integer, let value = NumberText.integer(row.bytes, cell.range) else {
        return false
      }
      slots[index] = FlatSlot(.integer, value)
    case .double: return double(row.bytes, cell, index)
    case .string:
      guard cell.kind == .text || cell.kind == .string else { return false }
      if index == root.primaryKeyIndex { return box(row.bytes, cell, target, index) }
      guard cell.end &- cell.start <= RowWriter.longText else { return false }
      slots[index] = FlatSlot(.text, Int64(cell.start), UInt32(cell.end &- cell.start))
    case .bool:
      guard let value = bool(row.bytes, cell) else { return false }
      slots[index] = FlatSlot(.bool, value ? 1 : 0)
    case .date:
      guard cell.kind == .text || cell.kind == .string, let value = forms.date(row.bytes, cell.range) else {
        return false
      }
      slots[index] = FlatSlot(.date, value.seconds, value.nanoseconds)
    case .link: return link(row.bytes, cell, index)
    default: return box(row.bytes, cell, target, index)
    }
    return true
  }

  private func noValue(_ target: FlatTarget, _ index: Int) -> Bool {
    slots[index] = FlatSlot()
    return target.isOptional
  }

  private func double(_ bytes: TextBytes, _ cell: FlatCell, _ index: Int) -> Bool {
    switch cell.kind {
    case .integer:
      // Without the sign of a zero, as whole numbers are.
      guard let value = NumberText.integer(bytes, cell.range) else { return false }
      slots[index] = FlatSlot(.double, Int64(bitPattern: Double(value).bitPattern))
    case .text, .number:
      let point = cell.kind == .text ? forms.point : UInt8(ascii: ".")
      guard let value = NumberText.double(bytes, cell.range, point: point) else { return false }
      slots[index] = FlatSlot(.double, Int64(bitPattern: value.bitPattern))
    default: return false
    }
    return true
  }

  private func bool(_ bytes: TextBytes, _ cell: FlatCell) -> Bool? {
    switch cell.kind {
    case .yes: return true
    case .no: return false
    case .text:
      return TruthText.wanted(bytes, cell.range)
    default: return nil
    }
  }

  /// Finds the object that a value names; false where there is none, or several.
  private func link(_ bytes: TextBytes, _ cell: FlatCell, _ index: Int) -> Bool {
    guard let finder = root.properties[index].finder, let plan = root.properties[index].link,
      let value = name(bytes, cell, plan.byType), let found = try? finder.find(value, in: writer)
    else { return false }
    switch found {
    case .one(let key): slots[index] = FlatSlot(.link, Int64(bitPattern: key.rawValue))
    case .none where plan.missing == .null: slots[index] = FlatSlot()
    case .none, .several: return false
    }
    return true
  }

  /// The value that an object is found by.
  private func name(_ bytes: TextBytes, _ cell: FlatCell, _ type: ColumnType) -> StoredValue? {
    switch (cell.kind, type) {
    case (.text, .int), (.integer, .int): return NumberText.integer(bytes, cell.range).map { .int($0) }
    case (.text, .string), (.string, .string): return .string(bytes.string(cell.range))
    case (.text, _), (.string, _):
      let text = bytes.string(cell.range)
      let node = InputNode(cell.kind == .text ? .text(text) : .string(text), at: 0)
      return try? values.value(node, as: type, isOptional: false, property: "")
    default: return nil
    }
  }

  /// A value of one of the rarer types.
  private func box(_ bytes: TextBytes, _ cell: FlatCell, _ target: FlatTarget, _ index: Int) -> Bool {
    guard cell.kind == .text || cell.kind == .string, cell.end &- cell.start <= RowWriter.longText else { return false }
    let text = bytes.string(cell.range)
    let node = InputNode(cell.kind == .text ? .text(text) : .string(text), at: 0)
    guard
      let value = try? values.value(node, as: target.type, isOptional: target.isOptional, property: ""),
      !value.isNull
    else { return false }
    boxed[index] = value
    slots[index] = FlatSlot(.boxed)
    // The writer gives these keys as the numbers that they are.
    if case .int(let number) = value { slots[index] = FlatSlot(.integer, number) }
    return true
  }

  // MARK: - Writing

  @inline(__always)
  private func fill(_ index: Int, _ key: ObjectKey, _ bytes: TextBytes) throws {
    let slot = slots[index]
    let column = targets[index].column
    let isFilled =
      switch slot.kind {
      case .null: rows.setNull(column, key)
      case .integer: rows.setInt(column, key, slot.integer)
      case .double: rows.setDouble(column, key, slot.double)
      case .bool: rows.setBool(column, key, slot.integer != 0)
      case .date: rows.setDate(column, key, slot.date)
      case .text: rows.setText(column, key, bytes.buffer(slot.range))
      case .boxed, .link: false
      }
    if !isFilled { try writer.set(root.descriptor.id, column, key, value(slot, index, bytes)) }
  }

  /// The value for the writer, where the row cannot be filled in place.
  private func value(_ slot: FlatSlot, _ index: Int, _ bytes: TextBytes) -> StoredValue {
    switch slot.kind {
    case .null: .null
    case .integer: .int(slot.integer)
    case .double: .double(slot.double)
    case .bool: .bool(slot.integer != 0)
    case .date: .date(slot.date)
    case .text: .string(bytes.string(slot.range))
    case .boxed: boxed[index]
    case .link: .link(ObjectKey(rawValue: UInt64(bitPattern: slot.integer)))
    }
  }
}

/// The place of a property's values in flat records, and the column that they go to.
private struct FlatTarget {
  /// Of the field; negative where no record has had it.
  var place: Int
  var column: ColumnID
  var type: ColumnType
  var isOptional: Bool
}

/// A value between the file and its column.
private struct FlatSlot: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable { case null, integer, double, bool, date, text, boxed, link }

  var kind = Kind.null
  var extra: UInt32 = 0
  var integer: Int64 = 0

  init() {}

  @inline(__always)
  init(_ kind: Kind, _ integer: Int64 = 0, _ extra: UInt32 = 0) {
    self.kind = kind
    self.integer = integer
    self.extra = extra
  }

  var double: Double { Double(bitPattern: UInt64(bitPattern: integer)) }
  var date: Timestamp { Timestamp(seconds: integer, nanoseconds: extra) }
  var range: Range<Int> { Int(integer)..<Int(integer) + Int(extra) }
}
