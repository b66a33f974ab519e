import Dispatch
import Foundation
import LarderQuery
import LarderStorage

/// The objects that link to one object through a property: read-only and live.
///
/// Declared with `@Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>`. An object that links k times (through a
/// list) occurs k times. In the order of their rows. Reading costs O(number of links). Empty for unmanaged objects.
public struct LinkingObjects<Element>: RealmCollection where Element: ObjectBase, Element: RealmCollectionValue {
  let propertyName: String
  /// Nil for an unmanaged object's.
  let state: ResultsState?
  let trace: _KeyPathTrace?

  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<LinkingObjects<Element>>

  /// The inverse of an unmanaged object: empty.
  public init(fromType: Element.Type, property propertyName: String) {
    self.propertyName = propertyName
    state = nil
    trace = nil
  }

  init(_ trace: _KeyPathTrace) {
    propertyName = ""
    state = nil
    self.trace = trace
  }

  init(_ propertyName: String, _ state: ResultsState) {
    self.propertyName = propertyName
    self.state = state
    trace = nil
  }

  /// The links to a row that an inverse property of its class follows back.
  init(to key: ObjectKey, _ cursor: _ClassCursor, _ inverse: ModelProperty) {
    let origin = cursor.cursor(behind: inverse) ?? cursor.host.cursor(for: Element.self)
    guard let name = inverse.originName, let property = origin.model.property(named: name), property.isObject,
      property.objectClassName == cursor.model.name
    else {
      misuse(
        "\(cursor.model.name).\(inverse.name) follows \(Element.className()).\(inverse.originName ?? "") back, which is "
          + "no link to \(cursor.model.name).")
    }
    let target = ObjectLink(classID: cursor.classID, key: key)
    let query = ResultsQuery(.backlinks(to: target, from: origin.classID, column: origin.columns[property.index]))
    self.init(name, ResultsState(cursor.host, .objects(query, origin)))
  }

  private var results: Results<Element>? { state.map { Results($0) } }

  public subscript(index: Int) -> Element {
    if let trace { return trace.object(of: Element.self) }
    guard let results else { misuse("Index \(index) is out of bounds (count 0).") }
    return results[index]
  }

  public subscript(bounds: Range<Int>) -> Slice<LinkingObjects<Element>> { Slice(base: self, bounds: bounds) }

  /// Returns true if both are copies of one value: each reading of the property makes another one, as in RealmSwift.
  public static func == (lhs: LinkingObjects<Element>, rhs: LinkingObjects<Element>) -> Bool {
    guard let mine = lhs.state, let theirs = rhs.state else { return lhs.state == nil && rhs.state == nil }
    return mine === theirs
  }

  public func makeIterator() -> RLMIterator<Element> { results?.makeIterator() ?? RLMIterator([]) }
  public var realm: Realm? { state.map { Realm($0.host) } }
  public var isInvalidated: Bool { state?.isInvalidated ?? false }
  public var count: Int { state?.count ?? 0 }

  public var description: String {
    let name = "LinkingObjects<\(ObjectDescription.name(of: Element.self))>"
    if let results { return results.text(named: name) }
    // Of unmanaged objects nothing tells one from another.
    let identity = String(UInt(bitPattern: ObjectIdentifier(Self.self).hashValue), radix: 16)
    return ObjectDescription.list(name, "0x" + identity, 0) { _ in "" }
  }

  public var first: Element? {
    if let trace { return trace.object(of: Element.self) }
    return results?.first
  }
  public var last: Element? {
    if let trace { return trace.object(of: Element.self) }
    return results?.last
  }

  public func index(of object: Element) -> Int? { results?.index(of: object) }
  public func index(matching predicate: NSPredicate) -> Int? { results?.index(matching: predicate) }
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    Results(makeState("filtered")).filter(predicate)
  }

  public func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor {
    Results(makeState("sorted")).sorted(by: sortDescriptors)
  }

  public func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String {
    Results(makeState("made distinct")).distinct(by: keyPaths)
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    results?.min(ofProperty: property)
  }

  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    results?.max(ofProperty: property)
  }

  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    guard let results else { return T._rlmSum(.null) }
    return results.sum(ofProperty: property)
  }

  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    results?.average(ofProperty: property)
  }

  public func value(forKey key: String) -> Any? { CollectionKeyValues.value(of: self, forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { CollectionKeyValues.value(of: self, forKeyPath: keyPath) }
  public func setValue(_ value: Any?, forKey key: String) {
    CollectionKeyValues.setValue(value, forKey: key, of: self)
  }

  public var isFrozen: Bool { state?.host.isFrozen ?? false }

  public func freeze() -> LinkingObjects<Element> {
    let state = makeState("frozen")
    if isFrozen { return self }
    guard let moved = state.moved(to: state.host.frozen()) else { misuse("The object was deleted; freeze it earlier.") }
    return LinkingObjects(propertyName, moved)
  }

  public func thaw() -> LinkingObjects<Element>? {
    guard let state else { misuse("The inverse of an unmanaged object cannot be thawed.") }
    return isFrozen ? state.moved(to: state.host.thawed()).map { LinkingObjects(propertyName, $0) } : self
  }
}

extension LinkingObjects: HasThrowingForms {}

extension LinkingObjects: ResultsSource {
  func storedValues() -> [StoredValue]? { nil }

  func makeState(_ what: String) -> ResultsState {
    guard let state else {
      misuse("The inverse of an unmanaged object cannot be \(what); add the object to a Realm first.")
    }
    return state
  }
}
