import Dispatch
import Foundation

/// What sections, and all of them together, have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {
  var realm: Realm? { get }
  var isInvalidated: Bool { get }
  var count: Int { get }
  var isFrozen: Bool { get }
  func freeze() -> Self
  func thaw() -> Self?
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

  /// The same on an actor; returns once the observation is registered.
  public func observe<A>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await ActorObservation.observe(self, on: actor, _isolation: _isolation, block) {
      $0.observe(keyPaths: keyPaths, on: nil, $1)
    }
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

  public func observe<A>(
    keyPaths: [PartialKeyPath<Element.Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
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

  public func observe<A>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public var section: Int { self[0] }
  public var item: Int { self[1] }
  public var row: Int { self[1] }
}
