import LarderLocks
import NIOCore

/// The connections that are open, so that there are never too many, and none when the server ends.
final class OpenConnections: Sendable {
  private struct Entry {
    let channel: any Channel
    /// Its place among all changes: the lowest has waited longest.
    var turn: Int
    /// True if a request of it is being answered.
    var isBusy = false
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var turn = 0
    var isEnded = false
  }

  private let most: Int
  private let state = Lock(State())

  /// - Parameter most: Connections at most. A browser opens six for a page, and one for the events of each tab.
  init(most: Int = 128) { self.most = most }

  /// The number of connections.
  var count: Int { state.withLock { $0.entries.count } }

  /// Adds a connection. Where there are too many, the one that has waited longest for its request is closed.
  ///
  /// - Returns: Whether it may stay: false when all others are being answered.
  func add(_ channel: any Channel) -> Bool {
    let (isAllowed, closed) = state.withLock { state -> (Bool, (any Channel)?) in
      guard !state.isEnded else { return (false, nil) }
      var closed: (any Channel)?
      if state.entries.count >= most {
        let waiting = state.entries.filter { !$0.value.isBusy }.min { $0.value.turn < $1.value.turn }
        guard let waiting else { return (false, nil) }
        closed = waiting.value.channel
        state.entries[waiting.key] = nil
      }
      state.turn += 1
      state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, turn: state.turn)
      return (true, closed)
    }
    closed?.close(promise: nil)
    if isAllowed { channel.closeFuture.whenComplete { [weak self] _ in self?.remove(channel) } }
    return isAllowed
  }

  /// Says whether a request of a connection is being answered.
  func mark(_ channel: any Channel, isBusy: Bool) {
    state.withLock { state in
      guard var entry = state.entries[ObjectIdentifier(channel)], entry.isBusy != isBusy else { return }
      state.turn += 1
      (entry.turn, entry.isBusy) = (state.turn, isBusy)
      state.entries[ObjectIdentifier(channel)] = entry
    }
  }

  /// Closes all, and those that come later.
  func end() {
    let channels = state.withLock { state in
      state.isEnded = true
      return state.entries.values.map(\.channel)
    }
    for channel in channels { channel.close(promise: nil) }
  }

  private func remove(_ channel: any Channel) {
    state.withLock { $0.entries[ObjectIdentifier(channel)] = nil }
  }
}
