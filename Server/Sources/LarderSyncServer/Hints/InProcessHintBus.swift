/// Hints within one process, for a server that is alone with its store.
public final class InProcessHintBus: HintBus {
  private let readers = HintReaders()

  public init() {}

  public func publish(_ hint: Hint) { readers.yield(hint) }
  public func hints() -> AsyncStream<Hint> { readers.stream() }
  public func close() { readers.close() }
}
