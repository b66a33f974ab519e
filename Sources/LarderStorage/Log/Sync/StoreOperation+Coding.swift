extension StoreOperation {
  private enum Tag: UInt8 {
    case create = 1
    case delete, set, add
    case listInsert, listRemove, listSet, listMove, listClear
    case setInsert, setRemove, setClear
    case put, removeKey, mapClear
    case everything
  }

  /// The object is that of the operation before.
  private static let sameObject: UInt8 = 0x80
  private static let defaultElements: UInt8 = 0x40

  /// - Parameter previous: The object of the operation before it in the commit.
  func encode(into writer: inout LogWriter, after previous: OperationObject?) {
    let isSame = previous == object
    writer.byte(tag.rawValue | (isSame ? Self.sameObject : 0) | (isDefault ? Self.defaultElements : 0))
    if !isSame { object.encode(into: &writer) }
    encodeChange(into: &writer)
  }

  private var tag: Tag {
    switch change {
    case .create: .create
    case .delete: .delete
    case .set: .set
    case .add: .add
    case .list(_, .insert, _): .listInsert
    case .list(_, .remove, _): .listRemove
    case .list(_, .set, _): .listSet
    case .list(_, .move, _): .listMove
    case .list(_, .clear, _): .listClear
    case .insertIntoSet: .setInsert
    case .removeFromSet: .setRemove
    case .clearSet: .setClear
    case .put: .put
    case .removeKey: .removeKey
    case .clearMap: .mapClear
    case .everything: .everything
    }
  }

  private func encodeChange(into writer: inout LogWriter) {
    switch change {
    case .delete, .everything: break
    case .create(let intent, let properties):
      writer.byte(intent.rawValue)
      writer.varint(properties.count)
      for property in properties {
        writer.varint(UInt64(property.column.rawValue) << 1 | (property.isDefault ? 1 : 0))
        property.value.encode(into: &writer)
      }
    case .set(let column, let value):
      writer.column(column)
      value.encode(into: &writer)
    case .add(let column, let value):
      writer.column(column)
      LogValue.encode(value, into: &writer)
    case .list(let place, let action, let values):
      place.encode(into: &writer)
      writer.varint(sizeBefore)
      action.encodeNumbers(into: &writer)
      writer.values(values)
    case .insertIntoSet(let column, let values), .removeFromSet(let column, let values):
      writer.column(column)
      writer.varint(sizeBefore)
      writer.values(values)
    case .clearSet(let column):
      writer.column(column)
      writer.varint(sizeBefore)
    case .put(let place, let key, let value):
      encode(place, key, into: &writer)
      value.encode(into: &writer)
    case .removeKey(let place, let key): encode(place, key, into: &writer)
    case .clearMap(let place):
      place.encode(into: &writer)
      writer.varint(sizeBefore)
    }
  }

  private func encode(_ place: OperationPlace, _ key: String, into writer: inout LogWriter) {
    place.encode(into: &writer)
    writer.varint(sizeBefore)
    writer.block(Array(key.utf8))
  }

  init(decoding reader: inout LogReader, after previous: OperationObject?) throws {
    let head = try reader.byte()
    let rawTag = head & ~(Self.sameObject | Self.defaultElements)
    guard let tag = Tag(rawValue: rawTag) else { throw LogReader.damage("an operation of unknown kind \(rawTag)") }
    if head & Self.sameObject == 0 {
      object = try OperationObject(decoding: &reader)
    } else if let previous {
      object = previous
    } else {
      throw LogReader.damage("an operation names no object")
    }
    isDefault = head & Self.defaultElements != 0
    (change, sizeBefore) = try Self.decodeChange(tag, &reader)
  }

  private static func decodeChange(_ tag: Tag, _ reader: inout LogReader) throws -> (Change, Int) {
    switch tag {
    case .delete: return (.delete, 0)
    case .everything: return (.everything, 0)
    case .create: return (try decodeCreate(&reader), 0)
    case .set: return (.set(try reader.column(), try OperationValue(decoding: &reader)), 0)
    case .add: return (.add(try reader.column(), try LogValue.decode(&reader)), 0)
    case .listInsert, .listRemove, .listSet, .listMove, .listClear:
      let place = try OperationPlace(decoding: &reader)
      let size = try reader.size()
      return (.list(place, try decodeAction(tag, size, &reader), try reader.values()), size)
    case .setInsert, .setRemove:
      let column = try reader.column()
      let size = try reader.size()
      let values = try reader.values()
      return (tag == .setInsert ? .insertIntoSet(column, values) : .removeFromSet(column, values), size)
    case .setClear: return (.clearSet(try reader.column()), try reader.size())
    case .put:
      let (place, size) = (try OperationPlace(decoding: &reader), try reader.size())
      return (.put(place, key: try reader.text(), try OperationValue(decoding: &reader)), size)
    case .removeKey:
      let (place, size) = (try OperationPlace(decoding: &reader), try reader.size())
      return (.removeKey(place, key: try reader.text()), size)
    case .mapClear: return (.clearMap(try OperationPlace(decoding: &reader)), try reader.size())
    }
  }

  private static func decodeCreate(_ reader: inout LogReader) throws -> Change {
    let rawIntent = try reader.byte()
    guard let intent = CreateIntent(rawValue: rawIntent) else {
      throw LogReader.damage("an object was created for an unknown reason")
    }
    let properties = try (0..<(try reader.count())).map { _ in
      let word = try reader.varint(as: UInt32.self)
      guard word >> 1 <= UInt32(UInt16.max) else { throw LogReader.damage("a property is out of range") }
      return OperationProperty(
        column: ColumnID(rawValue: UInt16(word >> 1)), value: try OperationValue(decoding: &reader),
        isDefault: word & 1 != 0)
    }
    return .create(intent, properties)
  }

  private static func decodeAction(_ tag: Tag, _ size: Int, _ reader: inout LogReader) throws -> ListEdit.Action {
    let positions = tag == .listClear ? [] : [try reader.size(), try reader.size()]
    let isInRange =
      switch tag {
      case .listInsert: positions[0] <= size
      case .listRemove, .listSet: positions[0] + positions[1] <= size
      case .listMove: positions[0] < size && positions[1] < size
      default: true
      }
    guard isInRange else { throw LogReader.damage("a list position is out of range") }
    return switch tag {
    case .listInsert: .insert(at: positions[0], count: positions[1])
    case .listRemove: .remove(at: positions[0], count: positions[1])
    case .listSet: .set(at: positions[0], count: positions[1])
    case .listMove: .move(from: positions[0], to: positions[1])
    default: .clear
    }
  }
}

extension ListEdit.Action {
  fileprivate func encodeNumbers(into writer: inout LogWriter) {
    switch self {
    case .insert(let first, let second), .remove(let first, let second), .set(let first, let second),
      .move(let first, let second):
      writer.varint(first)
      writer.varint(second)
    case .clear: break
    }
  }
}

extension OperationObject {
  fileprivate func encode(into writer: inout LogWriter) {
    root.encode(into: &writer)
    LogValue.encode(primaryKey, into: &writer)
    writer.varint(steps.count)
    for step in steps {
      writer.column(step.column)
      switch step.place {
      case .single: writer.byte(0)
      case .position(let position):
        writer.byte(1)
        writer.varint(position)
      case .key(let key):
        writer.byte(2)
        writer.block(Array(key.utf8))
      }
      step.object.encode(into: &writer)
    }
  }

  fileprivate init(decoding reader: inout LogReader) throws {
    root = try ObjectLink(decoding: &reader)
    primaryKey = try LogValue.decode(&reader)
    steps = try (0..<(try reader.count())).map { _ in
      let column = try reader.column()
      let place: Step.Place =
        switch try reader.byte() {
        case 0: .single
        case 1: .position(try reader.size())
        case 2: .key(try reader.text())
        default: throw LogReader.damage("an embedded object is in a place of unknown kind")
        }
      return Step(column: column, place: place, object: try ObjectLink(decoding: &reader))
    }
  }
}

extension OperationPlace {
  fileprivate func encode(into writer: inout LogWriter) {
    writer.column(column)
    writer.varint(path.count)
    for step in path { step.encode(into: &writer) }
  }

  fileprivate init(decoding reader: inout LogReader) throws {
    column = try reader.column()
    path = try (0..<(try reader.count())).map { _ in try MixedStep(decoding: &reader) }
  }
}

extension LogWriter {
  fileprivate mutating func column(_ column: ColumnID) { varint(UInt64(column.rawValue)) }

  fileprivate mutating func values(_ values: [OperationValue]) {
    varint(values.count)
    for value in values { value.encode(into: &self) }
  }
}

extension LogReader {
  fileprivate mutating func column() throws -> ColumnID { ColumnID(rawValue: try varint(as: UInt16.self)) }

  fileprivate mutating func size() throws -> Int { Int(try varint(as: UInt32.self)) }

  fileprivate mutating func values() throws -> [OperationValue] {
    try (0..<(try count())).map { _ in try OperationValue(decoding: &self) }
  }
}
