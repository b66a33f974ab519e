import Foundation
import LarderLocks

/// Characters typed on standard input, until a person presses Control-C.
final class KeyboardInput: Sendable {
  static let shared = KeyboardInput()

  /// The input that was read.
  enum Event: Equatable {
    case character(Unicode.Scalar)
    case interruption
    case end
  }

  private let interruptions = Pipe()
  private let isInterrupted = Lock(false)

  /// Ends the wait for a character; may be called on any thread.
  func interrupt() { try? interruptions.fileHandleForWriting.write(contentsOf: Data([0])) }

  /// Returns true once if the last line ended with Control-C.
  func takeInterruption() -> Bool {
    isInterrupted.withLock { flag in
      defer { flag = false }
      return flag
    }
  }

  /// Waits for the next character.
  func next() -> Event {
    let (typed, interrupting) = (FileHandle.standardInput.fileDescriptor, interruptions.fileHandleForReading)
    var waiting = [
      pollfd(fd: typed, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interrupting.fileDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waiting, 2, -1) < 0 {
      guard errno == EINTR else { return .end }
    }
    if waiting[1].revents != 0 {
      _ = interrupting.availableData
      isInterrupted.withLock { $0 = true }
      return .interruption
    }
    return character().map { .character($0) } ?? .end
  }

  /// The character that begins with the next byte; what is no UTF-8 is shown as such.
  private func character() -> Unicode.Scalar? {
    guard let first = byte() else { return nil }
    let more =
      switch first {
      case 0xC2...0xDF: 1
      case 0xE0...0xEF: 2
      case 0xF0...0xF4: 3
      default: 0
      }
    var bytes = [first]
    for _ in 0..<more {
      guard let next = byte() else { break }
      bytes.append(next)
    }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
  }

  private func byte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(FileHandle.standardInput.fileDescriptor, &byte, 1)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}
