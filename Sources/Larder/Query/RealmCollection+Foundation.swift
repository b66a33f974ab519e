import Foundation
import LarderQuery

extension RealmCollection where Element: ObjectBase {
  /// The elements that satisfy Foundation's predicate: `people.filter(#Predicate { $0.age > 30 })`. Lazy and live.
  ///
  /// Comparisons, logic, optional chaining, ranges, `contains`, `starts(with:)`, `allSatisfy`, `count` and `isEmpty` of
  /// collections can be queried. Anything else is misuse; `throwing.filter` throws instead.
  ///
  /// ```swift
  /// let found = people.filter(#Predicate { $0.age > 40 })
  /// ```
  ///
  /// On the Realm's thread. Costs some ten microseconds for the predicate; nothing is read before it is needed.
  public func filter(_ predicate: Predicate<Element>) -> Results<Element> { orMisuse { try included(predicate) } }

  /// The elements sorted by Foundation's descriptors, which must have key paths; text by code points.
  public func sorted(by sortDescriptors: [Foundation.SortDescriptor<Element>]) -> Results<Element> {
    orMisuse { try included(sortedBy: sortDescriptors) }
  }

  func included(_ predicate: Predicate<Element>) throws -> Results<Element> {
    Results(try resultsState("filtered").filtered(try PredicateTranslation.condition(predicate)))
  }

  func included(sortedBy descriptors: [Foundation.SortDescriptor<Element>]) throws -> Results<Element> {
    Results(try resultsState("sorted").sorting(try descriptors.map { try SortDescriptor(foundation: $0) }))
  }
}

extension Throwing where Base: RealmCollection, Base.Element: ObjectBase {
  /// `filter` with Foundation's predicate that throws for what cannot be queried.
  public func filter(_ predicate: Predicate<Base.Element>) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { try base.included(predicate) }
  }

  /// `sorted` with Foundation's descriptors that throws for what cannot be sorted by.
  public func sorted(by sortDescriptors: [Foundation.SortDescriptor<Base.Element>]) throws(Realm.Error)
    -> Results<Base.Element>
  {
    try orRealmError { try base.included(sortedBy: sortDescriptors) }
  }
}

extension SortDescriptor {
  /// Throws for a descriptor without a key path.
  init<Element: ObjectBase>(foundation descriptor: Foundation.SortDescriptor<Element>) throws {
    guard let keyPath = descriptor.keyPath else {
      throw Realm.Error.invalid("A sort descriptor without key path cannot sort a Realm's objects.")
    }
    self.init(keyPath: keyPath, ascending: descriptor.order == .forward)
  }
}
