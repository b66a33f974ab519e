import LarderQuery
import LarderStorage

/// One step of a path from an element to a value: a column of a class, or a column of another class followed backwards. All but
/// the last are links or collections of links.
package struct PathStep: Hashable, Sendable {
  package let classID: ClassID
  package let column: ColumnID
  /// The class that the column belongs to, when it is followed backwards.
  package let origin: ClassID?

  package init(_ classID: ClassID, _ column: ColumnID) {
    self.classID = classID
    self.column = column
    origin = nil
  }

  /// From objects of a class to those that link to them.
  package init(_ classID: ClassID, inverseOf column: ColumnID, of origin: ClassID) {
    self.classID = classID
    self.column = column
    self.origin = origin
  }
}

/// A way from an element of an observed collection to a value that its membership, its place or a filter depends on.
package typealias DependencyPath = [PathStep]

/// The order of a query's elements.
package enum ObservedOrder: Hashable, Sendable {
  /// By ascending key: a class without sort.
  case byKey
  /// By `precedes`.
  case sorted
}

/// The part of a query that an observation needs; it never sees values. Used from any thread.
package protocol ObservedQuery: Sendable {
  /// Class of the elements.
  var classID: ClassID { get }
  var order: ObservedOrder { get }
  /// Every value that membership or order depends on, as paths from an element. Nil when this is unknown, or when one
  /// element's membership depends on others (distinct, limit): then each change of a class in `classes` runs the query
  /// again.
  var dependencies: [DependencyPath]? { get }
  /// Those of the dependencies that membership depends on; what else there is decides on places only.
  var membership: [DependencyPath] { get }
  /// Every class the query reads, its own included.
  var classes: Set<ClassID> { get }

  /// The keys of the elements in their order.
  func evaluate(_ reader: any StoreReader) throws -> [ObjectKey]
  /// Returns true if an object that exists is an element.
  func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool
  /// Strict total order of elements, ties broken by key. Asked for only when `order` is `.sorted`.
  func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool
  /// The keys of the elements in their order, with the words that they are searched by where evaluating finds these.
  func sequence(_ reader: any StoreReader) throws -> KeySequence
  /// Returns the comparison of others with one element: many of them are compared with it. Anchors of the sequence (`KeySequence.partition`) are
  /// marked: what they are sorted by is worth keeping.
  func precedence(over key: ObjectKey, in reader: any StoreReader, during step: SortStep?) throws -> Precedence
  /// The same for some elements, in their order.
  func precedences(
    over keys: [ObjectKey], in reader: any StoreReader, during step: SortStep?
  ) throws -> [(key: ObjectKey, precedence: Precedence)]
  /// Keeps what the anchors of a sequence are sorted by.
  func learn(_ keys: KeySequence, in reader: any StoreReader) throws
  /// Begins a step between versions in which some objects may have changed their places; nil when nothing is kept.
  func step(from older: UInt64, to newer: UInt64, changed: KeyRanges) -> SortStep?
}

/// The comparison that finds the place of one element among others.
package struct Precedence {
  /// The value that the element is sorted by, as far as one word tells (`SortPrefix`).
  package var word = SortPrefix.unknown
  /// Returns true if another element comes before it.
  package let isAfter: (_ other: ObjectKey, _ isAnchor: Bool) throws -> Bool
}

extension ObservedQuery {
  package var membership: [DependencyPath] { dependencies ?? [] }

  package func sequence(_ reader: any StoreReader) throws -> KeySequence { KeySequence(try evaluate(reader)) }

  package func precedence(
    over key: ObjectKey, in reader: any StoreReader, during step: SortStep?
  ) throws -> Precedence {
    Precedence { other, _ in try precedes(other, key, in: reader) }
  }

  package func precedences(
    over keys: [ObjectKey], in reader: any StoreReader, during step: SortStep?
  ) throws -> [(key: ObjectKey, precedence: Precedence)] {
    try keys.sorted { try precedes($0, $1, in: reader) }.map {
      ($0, try precedence(over: $0, in: reader, during: step))
    }
  }

  package func learn(_ keys: KeySequence, in reader: any StoreReader) throws {}

  package func step(from older: UInt64, to newer: UInt64, changed: KeyRanges) -> SortStep? { nil }
}

/// The changes inside of elements that count as modifications.
package enum ModificationScope: Hashable, Sendable {
  /// Any property of the element or of objects within this many links from it (N-15 says three).
  case deep(hops: Int)
  /// Only values at the end of these paths, and links along them (N-30 to N-32).
  case paths([DependencyPath])
  /// The changes that either of both counts.
  case deepOrPaths(hops: Int, [DependencyPath])
  /// None: only membership and order.
  case membership

  package static let standard = ModificationScope.deep(hops: 3)
}
