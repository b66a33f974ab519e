/// Something that changes, as an asynchronous sequence: `for await state in realm.subscriptions.states { … }`.
///
/// The first element is the present value. Each loop is one of its own; what changes while the loop's body runs becomes one element, the
/// newest. A loop ends with its task, and when nothing will change any more. May be used from any thread or task.
public struct SyncEvents<Element>: AsyncSequence, Sendable where Element: Sendable {
  /// Loops do not fail.
  public typealias Failure = Never

  private let make: @Sendable () -> AsyncStream<Element>

  init(_ make: @escaping @Sendable () -> AsyncStream<Element>) { self.make = make }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: make().makeAsyncIterator()) }

  /// One loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.AsyncIterator

    /// The next value; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }

    /// The next value; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: nil) }
  }
}
