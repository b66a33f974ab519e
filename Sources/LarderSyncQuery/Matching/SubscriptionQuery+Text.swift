import LarderQuery
import LarderStorage
import LarderSyncProtocol

extension SubscriptionQuery {
  /// A predicate of a store as the canonical text of a subscription, which names properties as they are stored, and the values of `%@` in it.
  ///
  /// - Parameters:
  ///   - predicate: What the query of local results has; nil for all objects.
  ///   - schemaClass: The class as the server has it, as far as that is known.
  /// - Throws: `SubscriptionQueryError` for what subscriptions cannot ask for (Y-18).
  package static func text(
    of predicate: BoundPredicate?, _ classID: ClassID, in schema: StoreSchema, for schemaClass: SchemaClass
  ) throws(SubscriptionQueryError) -> (text: SyncText, arguments: [SyncValue]) {
    let node = predicate.map { StoredPredicate(schema: schema).node($0, classID) } ?? .constant(true)
    try SubscriptionRules(queried: try QueriedClass(schemaClass)).check(node)
    let (text, given) = PredicatePrinter.write(node)
    var arguments: [SyncValue] = []
    for argument in given {
      guard let value = constant(argument) else {
        throw SubscriptionQueryError(
          .notAllowed, schemaClass.name.string, nil,
          "Subscriptions to '\(schemaClass.name)' compare with plain values only, not with objects.")
      }
      arguments.append(value)
    }
    _ = try SubscriptionQuery(SyncText(text), arguments: arguments, in: schemaClass)
    return (SyncText(text), arguments)
  }

  private static func constant(_ argument: PredicateArgument) -> SyncValue? {
    switch argument {
    case .value(let value): SyncValue(value)
    // A name that is no word; the language takes a text for it.
    case .keyPath(let name): .string(SyncText(name))
    default: nil
    }
  }
}
