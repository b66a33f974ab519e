import Foundation
import LarderLMDB

extension Job {
  /// F_OFD_GETLK and F_OFD_SETLK, which Swift does not see.
  private static let (get, set): (Int32, Int32) = (36, 37)

  /// The byte by which processes see that another one waits.
  private func mark(_ type: Int32, _ command: Int32) -> flock {
    let file = Foundation.open(path, O_RDWR)
    var region = flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 1 << 62, l_len: 1, l_pid: 0)
    guard file >= 0, fcntl(file, command, &region) == 0 else { exit(65) }
    return region
  }

  /// Marks the file as one that it waits for, until it is killed.
  func setMark() {
    _ = mark(F_RDLCK, Self.set)
    waitForInput()
  }

  /// Says whether another process has marked it.
  func seeMark() { say("seen \(mark(F_WRLCK, Self.get).l_type != Int16(F_UNLCK))") }

  /// Writes after it has seen that flushes take long.
  func writeSlowly() throws {
    DiskRecorder.start()
    let environment = try open { $0.durability = .full }
    for key in UInt64(0)..<16 { try put(environment, key) }
    waitForInput()
    try put(environment, 99)
    say("done")
  }

  private func put(_ environment: Environment, _ key: UInt64) throws {
    try environment.write { try $0.put(environment.table("a"), KeyBytes(key), [1]) }
  }
}
