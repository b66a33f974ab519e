import Synchronization

/// True once.
final class FirstTime: Sendable {
  private let taken = Atomic(false)

  func take() -> Bool { !taken.exchange(true, ordering: .relaxed) }
}
