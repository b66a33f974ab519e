import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// The rules for what subscriptions may ask for (Y-18): whether an object is in a query must be known from the object alone.
struct SubscriptionRules {
  let queried: QueriedClass

  private var className: String { queried.source.name.string }

  func check(_ node: PredicateNode) throws(SubscriptionQueryError) {
    switch node {
    case .constant: break
    case .and(let children), .or(let children): for child in children { try check(child) }
    case .not(let child): try check(child)
    case .comparison(let comparison): try check(comparison)
    }
  }

  private func check(_ comparison: ComparisonNode) throws(SubscriptionQueryError) {
    let (left, right) = (try check(comparison.left), try check(comparison.right))
    let property = left ?? right
    if case .keyPath(let left) = comparison.left, case .keyPath(let right) = comparison.right {
      throw refuse("two properties with each other ('\(left.text)' and '\(right.text)')", property)
    }
    if comparison.operation == .text { throw refuse("full-text search", property) }
  }

  /// The property that an operand names.
  private func check(_ operand: OperandNode) throws(SubscriptionQueryError) -> String? {
    switch operand {
    case .keyPath(let path): return try check(path)
    case .constant(let constant): try check(constant)
    case .set(let members, _): for member in members { try check(member) }
    case .subquery: throw refuse("SUBQUERY")
    case .arithmetic: throw refuse("arithmetic")
    case .function(let call): throw refuse("the function '\(call.function.rawValue)'")
    }
    return nil
  }

  private func check(_ constant: ConstantNode) throws(SubscriptionQueryError) {
    switch constant.value {
    case .value(let value) where SyncValue(value) != nil: break
    case .area: throw refuse("areas on the globe")
    case .value, .object, .detachedObject, .members: throw refuse("links to objects")
    case .dictionary: throw refuse("dictionaries")
    case .list(let members):
      for member in members { try check(ConstantNode(member, constant.range)) }
    case .keyPath(let text): throw refuse("the key path '\(text)' as a value")
    }
  }

  private func check(_ path: KeyPathNode) throws(SubscriptionQueryError) -> String {
    if path.countsLinks { throw refuse("objects that link here ('\(path.text)')") }
    guard let first = path.components.first else { throw refuse("SELF") }
    guard first.originClass == nil else { throw refuse("objects that link here ('\(path.text)')") }
    guard let property = queried.property(first.name) else {
      throw SubscriptionQueryError(
        .unknown, className, first.name, "Class '\(className)' has no property '\(first.name)' at the server.")
    }
    let name = first.name
    guard path.components.count == 1, path.trailing.isEmpty else {
      throw refuse("paths over links or into embedded objects ('\(path.text)')", name)
    }
    guard property.type != .link, property.type != .embedded else { throw refuse("links to objects", name) }
    guard property.collection != .map, first.part == nil else { throw refuse("maps", name) }
    guard first.subscripts.isEmpty else { throw refuse("single elements ('\(path.text)')", name) }
    guard path.aggregate == nil || path.aggregate == .count else {
      throw refuse("the aggregate \(path.aggregate?.rawValue ?? "")", name)
    }
    if let measure = path.measure { throw refuse(measure.rawValue, name) }
    guard property.isQueryable || queried.source.primaryKey == property.name else {
      throw SubscriptionQueryError(
        .notQueryable, className, name,
        "Property '\(className).\(name)' is not queryable: add \"\(name)\" to \"queryable\" of class \"\(className)\" in the server's schema."
      )
    }
    return name
  }

  private func refuse(_ what: String, _ property: String? = nil) -> SubscriptionQueryError {
    let place = property.map { "\(className).\($0)" } ?? className
    return SubscriptionQueryError(
      .notAllowed, className, property,
      "Subscriptions to '\(className)' cannot ask for \(what) (at '\(place)'): only for the object's own queryable properties. Filter the results of the subscription instead."
    )
  }
}
