/// The events of one file: every write, every flush, and the promises that programs made meanwhile.
struct DiskLog {
  enum Event {
    /// Durable from its end where the descriptor says so (`O_DSYNC`): that anything else is flushed with it is not promised.
    case write(offset: Int, bytes: [UInt8], isDurable: Bool)
    /// A flush that begins; what was written before it is on the disk when it has ended.
    case flushBegan(Int)
    case flushEnded(Int)
    /// A flush that failed. Writes before it that were not on the disk are given up: no later flush writes them.
    case flushFailed(Int)
    /// Commits that a thread made up to this one are promised.
    case promise(thread: Int, round: Int)
  }

  var events: [Event] = []

  /// Returns the rounds that threads promised before a cut.
  func promised(threads: Int, before cut: Int) -> [Int] {
    var result = [Int](repeating: 0, count: threads)
    for case .promise(let thread, let round) in events[..<cut] { result[thread] = max(result[thread], round) }
    return result
  }

  /// A file as it may be found after the power failed before an event: all that was flushed, and of the rest any part.
  func image(before cut: Int, _ survives: () -> Bool) -> [UInt8] {
    let durable = durableWrites(before: cut)
    var image: [UInt8] = []
    for (place, event) in events[..<cut].enumerated() {
      guard case .write(let offset, let bytes, _) = event else { continue }
      // A disk writes sectors whole.
      for start in stride(from: 0, to: bytes.count, by: 512) where durable.contains(place) || survives() {
        let part = bytes[start..<min(bytes.count, start + 512)]
        let end = offset + start + part.count
        if image.count < end { image.append(contentsOf: [UInt8](repeating: 0, count: end - image.count)) }
        image.replaceSubrange(offset + start..<end, with: part)
      }
    }
    return image
  }

  /// The places of the writes that are on the disk for certain.
  private func durableWrites(before cut: Int) -> Set<Int> {
    var durable: Set<Int> = []
    var waiting: [Int] = []
    var begun: [Int: Int] = [:]
    for (place, event) in events[..<cut].enumerated() {
      switch event {
      case .write(_, _, let isDurable):
        if isDurable { durable.insert(place) } else { waiting.append(place) }
      case .flushBegan(let flush): begun[flush] = place
      case .flushEnded(let flush):
        let start = begun[flush] ?? 0
        durable.formUnion(waiting.filter { $0 < start })
        waiting.removeAll { $0 < start }
      case .flushFailed(let flush):
        let start = begun[flush] ?? 0
        waiting.removeAll { $0 < start }
      case .promise: break
      }
    }
    return durable
  }
}
