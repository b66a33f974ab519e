import Dispatch
import Foundation
import LarderQuery
import LarderStorage

/// The members that collections of all kinds have in common; see `RealmCollection`.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue {
  typealias ElementType = Element
}

/// A live collection: its contents are those of its Realm's version.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element> {
  /// The Realm it belongs to; nil for a collection in memory.
  var realm: Realm? { get }
  /// A Boolean value that says whether it cannot be used any more: its owner was deleted, or its Realm was invalidated.
  var isInvalidated: Bool { get }
  /// Number of elements. Of results: counted without reading objects, and kept until the Realm moves on.
  var count: Int { get }
  /// The type and the first 100 elements.
  var description: String { get }
  /// The first element; nil when there is none. Results are not evaluated for it as a whole.
  var first: Element? { get }
  /// The last element; nil when there is none.
  var last: Element? { get }
  /// Position of an element: of objects the same row, of values an equal one; nil when it is not among them.
  func index(of object: Element) -> Int?
  /// Position of the first element that satisfies the predicate, or nil.
  func index(matching predicate: NSPredicate) -> Int?
  /// Position of the first element that satisfies the predicate, or nil.
  ///
  /// ```swift
  /// let position = people.index(matching: "name == %@", "Alan")
  /// ```
  ///
  /// A predicate that does not fit is misuse; `throwing.index(matching:)` throws instead. On the Realm's thread. Costs a search that ends at the
  /// first.
  func index(matching predicateFormat: String, _ args: Any...) -> Int?
  /// The elements at some positions, lowest first. A position that is out of bounds is misuse.
  func objects(at indexes: IndexSet) -> [Element]
  /// The elements that satisfy a predicate: lazy and live. A predicate that does not fit is misuse.
  ///
  /// ```swift
  /// let older = people.filter("age > %@ AND name BEGINSWITH 'A'", 40)
  /// ```
  ///
  /// `query` throws instead of misuse. On the Realm's thread. Costs some microseconds for the text, less when it was used lately; nothing is
  /// read before it is needed.
  func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element>
  /// The elements that satisfy a predicate: lazy and live. A predicate that does not fit is misuse.
  ///
  /// ```swift
  /// let young = people.filter(NSPredicate(format: "age < %@", 40))
  /// ```
  ///
  /// `throwing.filter` throws instead. On the Realm's thread. Costs some microseconds for the text; nothing is read before it is needed.
  func filter(_ predicate: NSPredicate) -> Results<Element>
  /// The elements in the order of the first descriptor, then the second and so on: lazy and live.
  /// What is equal in all keeps its order.
  ///
  /// ```swift
  /// let ordered = people.sorted(by: [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "name")])
  /// ```
  ///
  /// An unknown key path is misuse; `throwing.sorted` throws instead. On the Realm's thread. Costs as `sorted(byKeyPath:ascending:)`.
  func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor
  /// The first element for each combination of values: lazy and live, in the order so far.
  ///
  /// ```swift
  /// let oneOfEachAge = people.distinct(by: ["age"])
  /// ```
  ///
  /// An unknown key path is misuse; `throwing.distinct` throws instead. On the Realm's thread. Costs nothing before it is needed, then O(n).
  func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String
  /// The smallest value of a property, numbers and dates; nil when there is none. Nil values do not count.
  func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  /// The largest value of a property, numbers and dates; nil when there is none. Nil values do not count.
  func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  /// The values of a number property added up; zero when there is none. Nil values do not count.
  func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType
  /// The mean of a number property; nil when there is no value. Nil values do not count.
  func average<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType
  /// The values of a property, one for each element; with a collection operator such as `@count`, one value.
  func value(forKey key: String) -> Any?
  /// The values at a key path, one for each element; with a collection operator such as `@sum.age`, one value.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets a property of every element; needs a write transaction.
  func setValue(_ value: Any?, forKey key: String)
  /// Calls the block with the collection, and then after each change with positions of what changed, until the token goes.
  ///
  /// ```swift
  /// let token = realm.objects(Person.self).observe { change in
  ///   if case .update(let people, let deletions, let insertions, let modifications) = change {
  ///     print(people.count, deletions, insertions, modifications)
  ///   }
  /// }
  /// ```
  ///
  /// Misuse on a frozen Realm, and where nothing delivers calls. Called where the collection's Realm is used, on its thread, or on `queue`; the
  /// work is done in the background. Costs nothing between commits, and then as much as the commit changed, not as much as there is.
  ///
  /// - Parameters:
  ///   - keyPaths: Modifications of which properties count; nil: of all, also of linked objects.
  ///   - queue: A serial queue to be called on, with a collection of its own Realm; nil: where this collection lives.
  ///   - block: What to call.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken
  /// Calls the block on an actor, with a collection that belongs to it; returns once the observation is registered.
  func observe<A>(
    keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor
  /// The elements, sorted, in sections of equal keys; live.
  func sectioned<Key>(sortDescriptors: [SortDescriptor], _ keyBlock: @escaping ((Element) -> Key))
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  /// A Boolean value that says whether it belongs to a frozen Realm: it never changes, and any thread may read it.
  var isFrozen: Bool { get }
  /// The same at its present version, unchanging, for any thread.
  ///
  /// ```swift
  /// let unchanging = realm.objects(Person.self).freeze()
  /// ```
  ///
  /// Misuse for a collection in memory. On the Realm's thread; the copy may be read from any. Costs next to nothing.
  func freeze() -> Self
  /// The live collection on the calling thread; nil when what it comes from is deleted.
  func thaw() -> Self?
}

/// A collection that can give its elements, or the values of its keys, as the store holds them.
protocol StoredValuesSource {
  /// Nil for a collection in memory.
  func storedValues() -> [StoredValue]?
  /// An aggregate over them without making values; nil where they are needed for it.
  func aggregated(_ aggregate: AggregateOperator) -> StoredValue?
}

extension StoredValuesSource {
  func aggregated(_ aggregate: AggregateOperator) -> StoredValue? { nil }
}

/// A collection that gives a query to the members that all collections share.
protocol ResultsSource: StoredValuesSource {
  associatedtype Element: RealmCollectionValue
  /// A query for the contents; misuse where there is none (E-88).
  func makeState(_ what: String) -> ResultsState
}

extension RealmCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  /// Position of the first element that satisfies the predicate.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    index(matching: NSPredicate(format: predicateFormat, argumentArray: args))
  }

  /// The elements that satisfy a predicate: lazy and live. A predicate that does not fit is misuse; `query` throws instead.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    orMisuse { try query(predicateFormat, arguments: args) }
  }

  /// The same as `filter`, throwing a `Realm.Error` that marks the place in the text.
  ///
  /// ```swift
  /// let checked = try people.query("age > %@", 40)
  /// ```
  ///
  /// On the Realm's thread. Costs as `filter`.
  public func query(_ predicateFormat: String, _ args: Any...) throws -> Results<Element> {
    try orRealmError { try query(predicateFormat, arguments: args) }
  }

  func query(_ text: String, arguments: [Any]) throws -> Results<Element> {
    Results(try resultsState("filtered").filtered(text, arguments: arguments))
  }

  func resultsState(_ what: String) -> ResultsState {
    guard let source = self as? any ResultsSource else { misuse("\(Self.self) cannot be \(what).") }
    return source.makeState(what)
  }

  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, on: queue, block)
  }
}

extension RealmCollection where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property; nil when there is none. Nil values do not count.
  public func min<T>(of keyPath: KeyPath<Element, T>) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property; nil when there is none. Nil values do not count.
  ///
  /// ```swift
  /// let oldest = people.max(of: \.age)
  /// let total = people.sum(of: \.age)
  /// ```
  ///
  /// Never throws. On the Realm's thread. Costs O(n), about a nanosecond for each object: only the column is read.
  public func max<T>(of keyPath: KeyPath<Element, T>) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The values of a number property added up; zero when there is none. Nil values do not count.
  ///
  /// ```swift
  /// let oldest = people.max(of: \.age)
  /// let total = people.sum(of: \.age)
  /// ```
  ///
  /// A sum that the type cannot hold is misuse. On the Realm's thread. Costs O(n), about a nanosecond for each object.
  public func sum<T>(of keyPath: KeyPath<Element, T>) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The mean of a number property, as a value of the property's type; nil when there is none. With
  /// `average(ofProperty:)` the type of the result can be chosen.
  public func average<T>(of keyPath: KeyPath<Element, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }

  /// The same as `observe(keyPaths:on:_:)` with key paths of Swift.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension RealmCollection {
  /// The elements as the store holds them; of a collection in memory, as it would.
  func foldedValues() -> [StoredValue] {
    (self as? any StoredValuesSource)?.storedValues() ?? ValueFold.stored(self)
  }

  /// An aggregate over the elements, of numbers in the store without making values of them.
  func folded(_ aggregate: AggregateOperator) -> StoredValue {
    (self as? any StoredValuesSource)?.aggregated(aggregate) ?? ValueFold.value(aggregate, of: foldedValues())
  }
}

extension RealmKeyedCollection {
  func foldedValues() -> [StoredValue] {
    (self as? any StoredValuesSource)?.storedValues() ?? ValueFold.stored(values)
  }

  func folded(_ aggregate: AggregateOperator) -> StoredValue {
    (self as? any StoredValuesSource)?.aggregated(aggregate) ?? ValueFold.value(aggregate, of: foldedValues())
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The smallest element; nil when there is none.
  public func min() -> Element? { Element._rlmFromAggregate(folded(.min)) }
  /// The largest element; nil when there is none.
  public func max() -> Element? { Element._rlmFromAggregate(folded(.max)) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The elements added up; zero when there is none.
  public func sum() -> Element { Element._rlmSum(folded(.sum)) }

  /// Nil when there is no element.
  public func average<T>() -> T? where T: _HasPersistedType, T.PersistedType: AddableType {
    T._rlmFromAggregate(folded(.average))
  }
}

extension RealmCollection where Element: KeypathSortable {
  /// The elements in the order of a key path, such as `"age"` or `"dogs.@count"`: lazy and live.
  ///
  /// ```swift
  /// let byAge = people.sorted(byKeyPath: "age", ascending: false)
  /// ```
  ///
  /// An unknown key path is misuse; `throwing.sorted` throws instead. On the Realm's thread. Costs nothing before it is needed; then O(n log n),
  /// less where an index has the order or only the first are looked at.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements in the order of a property: lazy and live.
  public func sorted<T>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where Element: ObjectBase, T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// The first element for each combination of values: lazy and live, in the order so far.
  public func distinct<S>(by keyPaths: S) -> Results<Element>
  where Element: ObjectBase, S: Sequence, S.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// The values in their order: lazy and live.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }

  /// Each value once: lazy and live, in the order so far.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

/// Iterates over the elements that a collection had when the loop began.
///
/// An accessor that nothing kept is used again for the next object.
@frozen
public struct RLMIterator<Element>: IteratorProtocol where Element: RealmCollectionValue {
  @usableFromInline let owner: _ObjectSequence?
  // Kept alive by `owner`; asking through this costs no reference counting.
  @usableFromInline let objects: Unmanaged<_ObjectSequence>?
  @usableFromInline let values: [Element]
  /// Makes elements that are neither values nor objects: projections.
  @usableFromInline let make: ((Int) -> Element)?
  @usableFromInline var position: Int
  /// Elements that there are for certain; there may be more objects.
  @usableFromInline var count: Int

  init(_ values: [Element]) {
    self.values = values
    owner = nil
    objects = nil
    make = nil
    position = 0
    count = values.count
  }

  /// - Parameter make: What makes the element at a position, where the objects are not the elements themselves.
  init(_ objects: _ObjectSequence, _ make: ((Int) -> Element)? = nil) {
    owner = objects
    self.objects = Unmanaged.passUnretained(objects)
    self.make = make
    values = []
    position = 0
    count = objects.known
  }

  @inlinable @inline(__always)
  public mutating func next() -> Element? {
    if position >= count, !findMore() { return nil }
    let current = position
    position = current &+ 1
    guard let objects else { return values[current] }
    if let make { return make(current) }
    // The sequence makes instances of `Element`, a class.
    return unsafeBitCast(objects._withUnsafeGuaranteedRef { $0.object(current) }, to: Element.self)
  }

  @usableFromInline
  mutating func findMore() -> Bool {
    guard let owner, owner.findMore(than: count) else { return false }
    count = owner.known
    return true
  }
}
