import Dispatch
import Foundation

/// The elements that share a key, in the order of the sorted results.
///
/// A section is bound to its key, not to its place (S-22): while no element has the key it is invalidated, and using it is
/// misuse; when one has it again, the same section can be used again.
public struct ResultsSection<Key, T>: RealmSectionedResult, Identifiable
where Key: _Persistable, Key: Hashable, T: RealmCollectionValue {
  public typealias Element = T
  public typealias Index = Int
  public typealias Indices = Range<Int>

  let state: SectionedState<Key, T>
  let boundKey: Key

  init(_ state: SectionedState<Key, T>, _ key: Key) {
    self.state = state
    boundKey = key
  }

  /// The key that the elements of the section have in common.
  public var key: Key {
    _ = state.positions(of: boundKey)
    return boundKey
  }

  public var id: Key { key }

  /// The element at a position of the section.
  public subscript(_ index: Int) -> T {
    let positions = state.positions(of: boundKey)
    guard positions.indices.contains(index) else {
      misuse("Index \(index) is out of bounds (count \(positions.count)).")
    }
    return state.source[Int(positions[index])]
  }

  /// The elements there are when the loop begins.
  public func makeIterator() -> SectionIterator<T> {
    SectionIterator(state.source.elements(at: state.positions(of: boundKey)))
  }

  /// The same key of the same sectioned results.
  public static func == (lhs: ResultsSection<Key, T>, rhs: ResultsSection<Key, T>) -> Bool {
    lhs.state === rhs.state && SectionKey(lhs.boundKey) == SectionKey(rhs.boundKey)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { state.positions(of: boundKey).count }
  public var count: Int { endIndex }
  public var realm: Realm? { Realm(state.host) }

  /// A Boolean value that says whether no element has the key now, or the Realm was invalidated.
  public var isInvalidated: Bool {
    state.isInvalidated || state.layout.number(of: SectionKey(boundKey)) == nil
  }

  public var isFrozen: Bool { state.host.isFrozen }

  /// The section of the same key at the Realm's version; misuse when it has none.
  public func freeze() -> ResultsSection<Key, T> {
    if isFrozen { return self }
    guard let frozen = Self.section(boundKey, of: state.frozen()) else {
      misuse("The section '\(misuseText(boundKey))' was not found in the frozen version.")
    }
    return frozen
  }

  /// The live section of the same key on this thread; nil when there is none.
  public func thaw() -> ResultsSection<Key, T>? {
    isFrozen ? moved(to: state.host.thawed()) : self
  }

  private static func section(_ key: Key, of state: SectionedState<Key, T>) -> ResultsSection<Key, T>? {
    let section = ResultsSection(state, key)
    return section.isInvalidated ? nil : section
  }

}

extension ResultsSection: CustomStringConvertible {
  /// At most 100 elements.
  public var description: String {
    if isInvalidated { return "ResultsSection<\(T.self)> <invalidated>" }
    return ObjectDescription.list("ResultsSection<\(T.self)>", "\(boundKey)", count) {
      ObjectDescription.text(of: self[$0], depth: 1)
    }
  }
}

extension ResultsSection: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> ResultsSection<Key, T>? {
    state.moved(to: host).flatMap { Self.section(boundKey, of: $0) }
  }

  func passage() -> Passage {
    let (passage, key) = (state.passage(), boundKey)
    return { passage($0).flatMap { Self.section(key, of: $0) } }
  }
}

/// Iterates over the elements a section had when the loop began.
public struct SectionIterator<Element>: IteratorProtocol where Element: RealmCollectionValue {
  private var elements: RLMIterator<Element>

  init(_ elements: RLMIterator<Element>) { self.elements = elements }

  public mutating func next() -> Element? { elements.next() }
}
