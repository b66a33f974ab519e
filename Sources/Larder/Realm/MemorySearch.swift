import Foundation
import LarderQuery
import LarderStorage

/// Looks through elements in memory with the rules of queries (F-28).
///
/// Objects are copied, one after the other, to a store in memory of which nothing stays: some 0.1 ms for each that is looked at.
struct MemorySearch {
  private let node: PredicateNode
  private let text: String
  private var scratch: (realm: Realm, predicate: BoundPredicate)?

  /// Position of the first element that satisfies a predicate.
  ///
  /// - Throws: What binding the predicate throws.
  static func firstIndex<Element: RealmCollectionValue>(
    in elements: [Any], of type: Element.Type, _ node: PredicateNode, _ text: String
  ) throws -> Int? {
    guard Element._rlmHoldsObject else { return try firstValue(in: elements.compactMap { $0 as? Element }, node, text) }
    var search = MemorySearch(node: node, text: text)
    for (position, element) in elements.enumerated() {
      guard let object = element as? ObjectBase else { continue }
      if try object.isManaged ? search.matches(managed: object) : search.matches(unmanaged: object) { return position }
    }
    return nil
  }

  private init(node: PredicateNode, text: String) {
    self.node = node
    self.text = text
  }

  private static func firstValue<Element: RealmCollectionValue>(
    in elements: [Element], _ node: PredicateNode, _ text: String
  ) throws -> Int? {
    guard let type = Element.self as? any _RealmSchemaDiscoverable.Type else { return nil }
    let binder = Binder(schema: StoreSchema(classes: [], schemaVersion: nil), naming: .stored, text: text)
    let bound = try binder.bindElements(node, type._rlmType.columnType, isOptional: type._rlmOptional)
    return ValueFold.stored(elements).firstIndex { bound.matches($0) }
  }

  private func matches(managed object: ObjectBase) throws -> Bool {
    let cursor = try object.verifiedCursor()
    try PredicateArguments.check(node, in: cursor.host)
    let binder = Binder(schema: cursor.host.schema, naming: cursor.host.naming, text: text)
    let query = ResultsQuery(
      .keys(cursor.classID, [object._objectKey]), predicate: try binder.bind(node, to: cursor.classID))
    return try query.first(in: cursor.host.reader) != nil
  }

  private mutating func matches(unmanaged object: ObjectBase) throws -> Bool {
    let (realm, predicate) = try opened(for: object)
    let core = realm.core
    let copy = try Detaching.copy(of: object, .max)
    core.beginWrite()
    defer { core.cancelWrite() }
    let cursor = core.cursor(for: type(of: copy))
    let policy = copy.model.primaryKey == nil ? Realm.UpdatePolicy.error : .all
    let builder = ObjectBuilder(core, policy: policy)
    try core.adding(under: policy) {
      if copy.model.isEmbedded {
        builder.adopt(copy, cursor, try core.openWriter().createUnowned(cursor.classID))
      } else {
        try builder.add(copy)
      }
    }
    return try ResultsQuery(.keys(cursor.classID, [copy._objectKey]), predicate: predicate).first(in: core.reader)
      != nil
  }

  /// A store in memory for objects of the class, and the predicate as it means there.
  private mutating func opened(for object: ObjectBase) throws -> (Realm, BoundPredicate) {
    if let scratch { return scratch }
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "search-" + UUID().uuidString, objectTypes: Self.classes(from: type(of: object)))
    let realm = try Realm(configuration: configuration)
    let host = realm.host
    try PredicateArguments.check(node, in: host)
    let binder = Binder(schema: host.schema, naming: host.naming, text: text)
    let made = (realm, try binder.bind(node, to: host.cursor(for: type(of: object)).classID))
    scratch = made
    return made
  }

  /// A class with all that it leads to.
  private static func classes(from type: ObjectBase.Type) -> [ObjectBase.Type] {
    var found: [ObjectBase.Type] = [type]
    var next = 0
    while next < found.count {
      let model = ModelClass.of(found[next])
      for case let target? in (model.properties + model.inverses).map(\.objectClass)
      where !found.contains(where: { $0 == target }) {
        found.append(target)
      }
      next += 1
    }
    return found
  }
}

extension RealmCollection {
  func firstIndex(of node: PredicateNode, text: String) throws -> Int? {
    // An unmanaged list is looked through with the same rules (F-28).
    if let list = self as? any SearchableInMemory, let elements = list.elementsInMemory {
      return try MemorySearch.firstIndex(in: elements, of: Element.self, node, text)
    }
    return try resultsState("searched").firstIndex(of: node, text: text)
  }
}
