import Foundation
import Glibc

/// The limits at which the system ends the process, so that a hang or an endless allocation is distinguished from a slow machine.
enum Limits {
  /// Seconds of processor time that one store may take, built for debugging.
  private static let patience = 30
  /// Seconds that a store may take in all: for waiting that never ends.
  private static let longest: UInt32 = 600
  /// Bytes of memory that are the process's own; what is mapped of a file does not count.
  private static let memory: rlim_t = 768 << 20

  static func setMemory() {
    // On top of what the address sanitizer takes for itself before anything else happens, which is much.
    let bound = privateMemory() + memory
    var limit = rlimit(rlim_cur: bound, rlim_max: bound)
    guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { exit(3) }
  }

  /// Bytes of its own that the process has mapped for writing, as the limit counts them.
  private static func privateMemory() -> rlim_t {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { rlim_t($0) } ?? 0
    return kilobytes << 10
  }

  /// From now on the time counts.
  static func startClock() {
    set(patience)
    alarm(longest)
  }

  static func stopClock() {
    set(0)
    alarm(0)
  }

  private static func set(_ seconds: Int) {
    var value = itimerval()
    value.it_value.tv_sec = seconds
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &value, nil)
  }
}
