import Foundation
import LarderQuery

extension Throwing where Base: RealmCollection {
  /// `filter` that throws: the error marks the place in the text.
  public func filter(_ predicateFormat: String, _ args: Any...) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { try base.query(predicateFormat, arguments: args) }
  }

  /// `filter` that throws.
  public func filter(_ predicate: NSPredicate) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError {
      Results(try base.resultsState("filtered").filtered(try PredicateBox.node(of: predicate), text: ""))
    }
  }

  /// `filter(rql:)` that throws.
  public func filter(rql query: String, _ args: Any...) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { try base.included(rql: query, args) }
  }

  /// `where` that throws.
  public func `where`(_ isIncluded: (Query<Base.Element>) -> Query<Bool>) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { try base.included(isIncluded) }
  }

  /// `sorted` that throws for a key path that cannot be sorted by.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { Results(try base.resultsState("sorted").sorting(Array(sortDescriptors))) }
  }

  /// `sorted` that throws for a key path that cannot be sorted by.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws(Realm.Error) -> Results<Base.Element> {
    try sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// `sortedByRelevance` that throws where nothing is searched for.
  public func sortedByRelevance() throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { try base.rankedByRelevance() }
  }

  /// `distinct` that throws for a key path that objects cannot be distinguished by.
  public func distinct(by keyPaths: some Sequence<String>) throws(Realm.Error) -> Results<Base.Element> {
    try orRealmError { Results(try base.resultsState("made distinct").distinguishing(Array(keyPaths))) }
  }

  /// `index(matching:)` that throws.
  public func index(matching predicateFormat: String, _ args: Any...) throws(Realm.Error) -> Int? {
    try orRealmError {
      try base.firstIndex(of: try PredicateArguments.parse(predicateFormat, args), text: predicateFormat)
    }
  }
}
