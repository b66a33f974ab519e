import Dispatch
import Foundation

/// Sorted elements grouped by a key: a live collection of sections.
///
/// Sections are in the order in which their keys appear first among the sorted elements; elements with equal keys share a
/// section even if others are between them. After any change, the first access computes all sections again, O(n), calling the
/// key function for every element where the Realm lives.
public struct SectionedResults<Key, SectionElement>: RealmSectionedResult
where Key: _Persistable, Key: Hashable, SectionElement: RealmCollectionValue {
  public typealias Element = ResultsSection<Key, SectionElement>
  public typealias Index = Int
  public typealias Indices = Range<Int>

  let state: SectionedState<Key, SectionElement>

  init(_ state: SectionedState<Key, SectionElement>) { self.state = state }

  /// The keys in the order of their sections.
  public var allKeys: [Key] { state.layout.keys }

  /// The section at a position.
  public subscript(_ index: Int) -> ResultsSection<Key, SectionElement> { state.section(at: index) }

  /// The element at a section and an item.
  public subscript(_ indexPath: IndexPath) -> SectionElement { self[indexPath.section][indexPath.item] }

  /// The sections as they are when the loop begins (S-25).
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(state.layout.keys.map { ResultsSection(state, $0) })
  }

  /// The same instance; contents are not compared.
  public static func == (lhs: SectionedResults<Key, SectionElement>, rhs: SectionedResults<Key, SectionElement>)
    -> Bool
  { lhs.state === rhs.state }

  public var startIndex: Int { 0 }
  public var endIndex: Int { state.layout.keys.count }
  public var count: Int { endIndex }
  public var realm: Realm? { Realm(state.host) }
  public var isInvalidated: Bool { state.isInvalidated }
  public var isFrozen: Bool { state.host.isFrozen }

  /// The sections of the Realm's version, unchanging and usable on any thread; their keys are not computed again.
  public func freeze() -> SectionedResults<Key, SectionElement> { isFrozen ? self : SectionedResults(state.frozen()) }

  /// Live sections on this thread; nil when what they come from is deleted.
  public func thaw() -> SectionedResults<Key, SectionElement>? {
    isFrozen ? state.moved(to: state.host.thawed()).map { SectionedResults($0) } : self
  }

}

extension SectionedResults: CustomStringConvertible {
  /// At most 100 sections of at most 100 elements.
  public var description: String {
    if isInvalidated { return "SectionedResults<\(Key.self), \(SectionElement.self)> <invalidated>" }
    let sections = prefix(100).map(\.description).joined(separator: ",\n")
    let rest = count > 100 ? "\n... \(count - 100) sections skipped" : ""
    return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n\(sections)\(rest)\n)"
  }
}

extension SectionedResults: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> SectionedResults<Key, SectionElement>? {
    state.moved(to: host).map { SectionedResults($0) }
  }

  func passage() -> Passage {
    let passage = state.passage()
    return { passage($0).map { SectionedResults($0) } }
  }
}

/// Iterates over the sections there were when the loop began.
public struct SectionedResultsIterator<Key, Element>: IteratorProtocol
where Key: _Persistable, Key: Hashable, Element: RealmCollectionValue {
  private var sections: IndexingIterator<[ResultsSection<Key, Element>]>

  init(_ sections: [ResultsSection<Key, Element>]) { self.sections = sections.makeIterator() }

  public mutating func next() -> ResultsSection<Key, Element>? { sections.next() }
}
