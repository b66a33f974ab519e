import Dispatch
import Foundation

/// The members that sections, and all of them together, have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {
  /// The Realm it belongs to.
  var realm: Realm? { get }
  /// A Boolean value that says whether it cannot be used any more.
  var isInvalidated: Bool { get }
  /// Number of elements: sections, or rows of a section.
  var count: Int { get }
  /// A Boolean value that says whether it never changes and any thread may read it.
  var isFrozen: Bool { get }
  /// The same at its present version, unchanging, for any thread.
  func freeze() -> Self
  /// The live counterpart on the calling thread; nil when it is deleted.
  func thaw() -> Self?
  /// Calls the block with what there is, and then after each change with index paths of what changed, until the token goes.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken
}

extension RealmSectionedResult {
  /// Calls the block with the initial sections, and then with every change of them. Rules as for `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, on: queue, block)
  }

}

extension RealmSectionedResult where Element: RealmSectionedResult, Element.Element: ObjectBase {
  /// The same, hearing of modifications of some properties only.
  public func observe(
    keyPaths: [PartialKeyPath<Element.Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

}

extension RealmSectionedResult where Element: ObjectBase {
  /// The same, hearing of modifications of some properties only.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

}

/// RealmSwift's other name of it.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange
/// RealmSwift's other name of it.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator
/// RealmSwift's other name of it.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator

extension IndexPath {
  /// The path of an item in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The path of a row in a section: the same as of an item.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The number of the section.
  public var section: Int { self[0] }
  /// The number within the section.
  public var item: Int { self[1] }
  /// The number within the section: the same as `item`.
  public var row: Int { self[1] }
}
