import Foundation

/// The threads, descriptors and memory of this process.
struct Usage: CustomStringConvertible {
  let threads = Self.entries("/proc/self/task")
  let descriptors = Self.entries("/proc/self/fd")
  /// Kilobytes of memory that are no file's.
  let memory = Self.kilobytes("RssAnon")

  var description: String { "threads \(threads) descriptors \(descriptors) kilobytes \(memory)" }

  private static func entries(_ path: String) -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).count
  }

  private static func kilobytes(_ name: String) -> Int {
    let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix(name) } ?? ""
    return line.split(whereSeparator: { " \t".contains($0) }).compactMap { Int($0) }.first ?? 0
  }

  static func raiseFileLimit() { change { $0.rlim_cur = $0.rlim_max } }

  static func setFileLimit(_ count: UInt64) { change { $0.rlim_cur = rlim_t(count) } }

  private static func change(_ body: (inout rlimit) -> Void) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { exit(65) }
    body(&limit)
    guard setrlimit(resource, &limit) == 0 else { exit(65) }
  }
}
