import Foundation
import LarderExchange
import LarderQuery
import LarderStorage

/// A column of a query's output: a property of the objects, or of what they link to, one number over a collection, or what is computed of them.
struct ShownColumn {
  /// The property as it was asked for.
  let title: String
  let column: ColumnDescriptor
  /// The class that has the property.
  let entry: ClassDescriptor
  /// To-one links on the way, each with its class.
  private let links: [(entry: ClassDescriptor, column: ColumnDescriptor)]
  /// `list.@count` and its kind, or `distance / airTime`, of the class of the objects.
  private var work: (operand: BoundOperand, classID: ClassID)?

  /// A property of a class.
  init(_ column: ColumnDescriptor, of entry: ClassDescriptor) {
    title = column.name
    (self.column, self.entry, links) = (column, entry, [])
  }

  /// A property by its name, or by a key path over to-one links; a number over a collection; or what is computed, with a name of its own
  /// after `AS`.
  ///
  /// - Throws: `StorageError` for an unknown property, and one that is no such link; `PredicateError` for a collection operator that the
  ///   property does not have, and for what cannot be computed.
  init(_ part: String, of entry: ClassDescriptor, in schema: StoreSchema) throws {
    let (path, title) = entry.column(named: part) == nil ? PropertyList.named(part) : (part, part)
    if entry.column(named: path) == nil, ValueExpression.isComputed(path) || path.contains(".@") {
      let expression = try ValueExpression(path, of: entry.id, schema: schema)
      self.title = title
      (column, self.entry, links) = (
        ColumnDescriptor(id: ColumnID(rawValue: 0), name: title, type: expression.type, isOptional: true), entry, []
      )
      work = (expression.operand, entry.id)
      return
    }
    var owner = entry
    var links: [(ClassDescriptor, ColumnDescriptor)] = []
    // A name of the store may hold a dot.
    var rest = entry.column(named: path) == nil ? path.split(separator: ".", omittingEmptySubsequences: false) : []
    let last = rest.popLast().map(String.init) ?? path
    for name in rest.map(String.init) {
      let link = try Self.column(name, of: owner)
      guard link.collection == .none, let target = link.target.flatMap({ schema[$0] }) else {
        throw StorageError(
          .typeMismatch, "'\(name)' of '\(owner.name)' is no link to one object, so '\(path)' leads nowhere.",
          className: owner.name, property: name)
      }
      links.append((owner, link))
      owner = target
    }
    self.title = title
    column = try Self.column(last, of: owner)
    self.entry = owner
    self.links = links
  }

  private static func column(_ name: String, of entry: ClassDescriptor) throws -> ColumnDescriptor {
    if let column = entry.column(named: name) { return column }
    let hint = Suggestion.sentence(for: name, in: entry.columns.map(\.name))
    throw StorageError(
      .unknownProperty, "The class '\(entry.name)' has no property '\(name)'.\(hint)", className: entry.name,
      property: name)
  }

  /// True if it is more than a property of the objects themselves under its own name.
  var isComputed: Bool { !links.isEmpty || work != nil || title != column.name }

  /// True if its value is computed, or is one of another object.
  var isReached: Bool { !links.isEmpty || work != nil }

  var isNumeric: Bool {
    column.collection == .none && [.int, .float, .double, .decimal128].contains(column.type)
  }

  /// The value for an object; null where a link on the way is.
  func value(of key: ObjectKey, in reader: any StoreReader, _ tree: ObjectTree, depth: Int) throws -> ShownValue {
    if let work { return .scalar(try RowEvaluator(reader).value(work.operand, work.classID, key)) }
    var owner = key
    for link in links {
      guard case .link(let next) = try reader.value(link.entry.id, link.column.id, owner),
        let target = link.column.target, try reader.contains(target, next)
      else { return .scalar(.null) }
      owner = next
    }
    return try tree.value(entry, column, owner, depth: depth)
  }
}
