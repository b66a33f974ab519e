import Foundation

/// The log of a file that several processes write, in a file of its own, in the order in which they wrote.
final class DiskJournal: Sendable {
  private let file: Int32
  /// Has a byte for each flush that failed.
  private let failed: Int32

  init(_ path: String) {
    file = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    failed = open(path + "-failed", O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard file >= 0, failed >= 0 else { exit(66) }
  }

  deinit {
    close(file)
    close(failed)
  }

  /// Keeps other processes from doing or noting anything until `unlock`.
  func lock() { while flock(file, LOCK_EX) != 0, errno == EINTR {} }

  func unlock() { flock(file, LOCK_UN) }

  /// Flushes that failed in all processes.
  var failures: Int {
    var status = stat()
    return fstat(failed, &status) == 0 ? Int(status.st_size) : 0
  }

  func addFailure() { append([0], to: failed) }

  func append(_ event: DiskLog.Event) {
    var record: [UInt8] = []
    func add(_ kind: UInt8, _ a: Int, _ b: Int, _ bytes: [UInt8] = []) {
      record.append(kind)
      for number in [a, b, bytes.count] { withUnsafeBytes(of: number) { record.append(contentsOf: $0) } }
      record.append(contentsOf: bytes)
    }
    switch event {
    case .write(let offset, let bytes, let isDurable): add(0, offset, isDurable ? 1 : 0, bytes)
    case .flushBegan(let flush): add(1, flush, 0)
    case .flushEnded(let flush): add(2, flush, 0)
    case .flushFailed(let flush): add(3, flush, 0)
    case .promise(let thread, let round): add(4, thread, round)
    }
    append(record, to: file)
  }

  private func append(_ bytes: [UInt8], to file: Int32) {
    guard bytes.withUnsafeBytes({ Foundation.write(file, $0.baseAddress, $0.count) }) == bytes.count else { exit(66) }
  }

  /// Returns the events in the journal at a path.
  static func events(_ path: String) throws -> [DiskLog.Event] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var events: [DiskLog.Event] = []
    var place = 0
    func number() -> Int {
      defer { place += 8 }
      return bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while place < bytes.count {
      let kind = bytes[place]
      place += 1
      let (a, b, count) = (number(), number(), number())
      let content = Array(bytes[place..<place + count])
      place += count
      switch kind {
      case 0: events.append(.write(offset: a, bytes: content, isDurable: b == 1))
      case 1: events.append(.flushBegan(a))
      case 2: events.append(.flushEnded(a))
      case 3: events.append(.flushFailed(a))
      default: events.append(.promise(thread: a, round: b))
      }
    }
    return events
  }
}
