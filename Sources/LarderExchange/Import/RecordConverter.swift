import LarderStorage

/// A record turned into values, links still by the values they are found by.
struct PreparedObject {
  /// In the order of the class plan's properties.
  var values: [PreparedValue]
  var offset: Int
}

indirect enum PreparedValue {
  case scalar(StoredValue)
  /// The record has no value for a property that needs one: an object that is there already keeps its own.
  case missing
  case list([StoredValue])
  case link(LinkReference?)
  case links([LinkReference])
  case embedded(PreparedObject?)
  case embeddedList([PreparedObject])
}

/// The value that a link is found by, and where it stands.
struct LinkReference {
  var value: StoredValue
  var offset: Int
}

/// Turns records into values as a plan says.
struct RecordConverter {
  let plan: ClassPlan
  let values: ValueConverter
  /// True if a record may lack required values, since its object may have them.
  var keepsMissing = false

  /// - Throws: `RecordFault` at the first value that does not fit.
  func object(_ record: InputRecord) throws -> PreparedObject {
    let fields = FieldLookup(record.fields)
    return try object(plan, at: 0, keepsMissing: keepsMissing) { fields.node($0) }
  }

  private func object(
    _ plan: ClassPlan, at offset: Int, keepsMissing: Bool = false, _ lookup: (String) -> InputNode?
  ) throws -> PreparedObject {
    var result = PreparedObject(values: [], offset: offset)
    result.values.reserveCapacity(plan.properties.count)
    for property in plan.properties {
      if keepsMissing, !property.isPrimaryKey, case .scalar(_, isOptional: false) = property.kind,
        lookup(property.source) == nil
      {
        result.values.append(.missing)
        continue
      }
      result.values.append(try value(property, lookup, at: offset))
    }
    return result
  }

  private func value(
    _ property: PropertyPlan, _ lookup: (String) -> InputNode?, at offset: Int
  ) throws -> PreparedValue {
    let found = lookup(property.source)
    switch property.kind {
    case .scalar(let type, let isOptional):
      guard let found else {
        guard isOptional else { throw missing(property, at: offset) }
        return .scalar(.null)
      }
      return .scalar(try values.value(found, as: type, isOptional: isOptional, property: property.name))
    case .list(let type, let isOptional):
      return .list(
        try elements(found, property).map {
          try values.value($0, as: type, isOptional: isOptional, property: property.name)
        })
    case .link(let link): return .link(try found.flatMap { try reference($0, link, property) })
    case .linkList(let link):
      return .links(try elements(found, property).compactMap { try reference($0, link, property) })
    case .embedded(let inner, let isNested):
      return .embedded(try embedded(inner, isNested, found, lookup, property, at: offset))
    case .embeddedList(let inner):
      return .embeddedList(
        try elements(found, property).map { node in
          guard let object = try nested(inner, node, property) else {
            throw RecordFault(offset: node.offset, message: "null in the list '\(property.name)' of embedded objects")
          }
          return object
        })
    }
  }

  private func missing(_ property: PropertyPlan, at offset: Int) -> RecordFault {
    RecordFault(
      offset: offset,
      message: "there is no field '\(property.source)' here, and the property '\(property.name)' needs a value")
  }

  // MARK: Lists

  private func elements(_ found: InputNode?, _ property: PropertyPlan) throws -> [InputNode] {
    guard let found, !values.isNull(found) else { return [] }
    switch found.value {
    case .array(let nodes): return nodes
    case .string(let text), .text(let text):
      if let separator = property.split { return pieces(of: text, separator, at: found.offset) }
      // A format without types has no lists: the text may be one in a notation of its own.
      if case .text = found.value { break }
      return [found]
    default:
      if property.split == nil { return [found] }
    }
    throw RecordFault(
      offset: found.offset,
      message: "\(ValueConverter.describe(found.value)) does not fit the list '\(property.name)'"
        + (property.split == nil ? "; 'split' would cut a string into one" : ""))
  }

  private func pieces(of text: String, _ separator: String, at offset: Int) -> [InputNode] {
    let pieces = text.split(separator: separator).map { $0.drop(while: \.isWhitespace) }
    return pieces.filter { !$0.isEmpty }.map { InputNode(.text(String($0)), at: offset) }
  }

  // MARK: Links

  private func reference(_ node: InputNode, _ link: LinkPlan, _ property: PropertyPlan) throws -> LinkReference? {
    if values.isNull(node) { return nil }
    switch node.value {
    case .text(""), .string(""): return nil
    default: break
    }
    let value = try values.value(node, as: link.byType, isOptional: false, property: property.name)
    return LinkReference(value: value, offset: node.offset)
  }

  // MARK: Embedded objects

  private func embedded(
    _ inner: ClassPlan, _ isNested: Bool, _ found: InputNode?, _ lookup: (String) -> InputNode?,
    _ property: PropertyPlan, at offset: Int
  ) throws -> PreparedObject? {
    if isNested { return try found.flatMap { try nested(inner, $0, property) } }
    if let found, case .object = found.value { return try nested(inner, found, property) }
    let isAbsent = inner.properties.allSatisfy { part in
      lookup(part.source).map { node in
        if case .text("") = node.value { return true }
        return values.isNull(node)
      } ?? true
    }
    return isAbsent ? nil : try object(inner, at: offset, lookup)
  }

  private func nested(_ inner: ClassPlan, _ node: InputNode, _ property: PropertyPlan) throws -> PreparedObject? {
    if values.isNull(node) { return nil }
    guard case .object(let fields) = node.value else {
      throw RecordFault(
        offset: node.offset,
        message: "\(ValueConverter.describe(node.value)) does not fit '\(property.name)', an embedded object")
    }
    let lookup = FieldLookup(fields)
    return try object(inner, at: node.offset) { lookup.node($0) }
  }
}
