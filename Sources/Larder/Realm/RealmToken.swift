import LarderLocks

/// The token of a Realm observer.
final class RealmToken: NotificationToken, @unchecked Sendable {
  // Unchecked: the block is only called and replaced on the Realm's thread; invalidation is under the lock.
  private let block: Lock<UncheckedBox<NotificationBlock>?>
  let owner: WeakObservers

  init(_ core: RealmCore, _ block: @escaping NotificationBlock) {
    self.block = Lock(UncheckedBox(block))
    owner = WeakObservers(observers: core.observers)
  }

  func call(_ notification: Realm.Notification, _ realm: Realm) {
    let block = block.withLock { $0 }
    block?.value(notification, realm)
  }

  override func invalidate() -> Bool {
    // What the block holds is let go of outside of the lock.
    let ended = block.withLock { $0.take() }
    return ended != nil
  }

  deinit {
    guard invalidate() else { return }
    Logger.shared.log(
      .warn,
      "A token of Realm.observe went away without invalidate(), which ended the observation. Keep the token as long as the block is "
        + "to be called, and invalidate it then.")
  }
}
