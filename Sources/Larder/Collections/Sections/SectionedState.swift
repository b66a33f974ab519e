import Foundation
import LarderObservation
import LarderStorage

/// The parts of sectioned results: sorted results, the function that gives keys, and the sections found last.
final class SectionedState<Key, Element>
where Key: _Persistable & Hashable, Element: RealmCollectionValue {
  let source: Results<Element>
  let keyOf: (Element) -> Key
  private var known: (layout: SectionLayout<Key>, stamp: UInt64)?
  // Frozen ones are read from many threads; live ones from one, which may come back inside of the key function.
  private let lock = NSRecursiveLock()

  init(_ source: Results<Element>, _ keyOf: @escaping (Element) -> Key) {
    SectionKey.check(Key.self)
    self.source = source
    self.keyOf = keyOf
  }

  /// A frozen copy, with the sections that were found for the version (S-30).
  private init(_ source: Results<Element>, _ keyOf: @escaping (Element) -> Key, _ layout: SectionLayout<Key>) {
    self.source = source
    self.keyOf = keyOf
    known = (layout, source.state.host.stamp)
  }

  var host: ObjectHost { source.state.host }
  var isInvalidated: Bool { source.isInvalidated }

  /// The sections now; computed again when anything changed since (S-21).
  var layout: SectionLayout<Key> {
    host.checkThread()
    if source.isInvalidated { misuse("These sections were invalidated with their Realm; query again.") }
    if !host.isFrozen { return currentLayout() }
    return lock.withLock { currentLayout() }
  }

  private func currentLayout() -> SectionLayout<Key> {
    let stamp = host.stamp
    if let known, known.stamp == stamp { return known.layout }
    let isWriting = host.isWriting
    // The iterator reads the source once, however it is sorted.
    var elements = source.makeIterator()
    let layout = SectionLayout<Key>(count: source.state.evaluatedCount) { position in
      guard let element = elements.next() else { misuse(Self.changing) }
      let key = keyOf(element)
      if host.stamp != stamp || host.isWriting != isWriting { misuse(Self.changing) }
      return key
    }
    known = (layout, stamp)
    return layout
  }

  private static var changing: String {
    "The Realm was written, or moved on, while the keys of sections were computed; the key function must only read."
  }

  func section(at index: Int) -> ResultsSection<Key, Element> {
    let layout = layout
    guard layout.keys.indices.contains(index) else {
      misuse("Section \(index) is out of bounds (count \(layout.keys.count)).")
    }
    return ResultsSection(self, layout.keys[index])
  }

  /// The elements of a section in order, as they are now; misuse when it is deleted (S-22).
  func positions(of key: Key) -> [Int32] {
    let layout = layout
    guard let number = layout.number(of: SectionKey(key)) else {
      misuse("The section '\(misuseText(key))' was invalidated: it has no elements now. Check isInvalidated first.")
    }
    return layout.rows[number]
  }

  func moved(to other: ObjectHost) -> SectionedState? {
    guard let moved = source.moved(to: other) else { return nil }
    return SectionedState(moved, keyOf)
  }

  /// The way to the same sections in any Realm of the store.
  func passage() -> (ObjectHost) -> SectionedState? {
    let (description, keyOf) = (source.state.description, keyOf)
    return { host in description.stateIfThere(in: host).map { SectionedState(Results($0), keyOf) } }
  }

  /// The same sections in another Realm of the store, none where what they are made of does not exist.
  func counterpart(in other: ObjectHost) -> SectionedState {
    SectionedState(Results(source.state.description.state(in: other)), keyOf)
  }

  func frozen() -> SectionedState {
    let layout = layout
    let frozen = source.freeze()
    // In a write transaction the sections are those of its changes; the frozen version has none of them.
    return host.isWriting ? SectionedState(frozen, keyOf) : SectionedState(frozen, keyOf, layout)
  }
}
