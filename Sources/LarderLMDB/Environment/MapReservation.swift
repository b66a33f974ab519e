import Foundation

/// The size of the address range that the map of a file gets.
///
/// A process has 128 TiB, for maps and for everything else. A map that is large from the beginning never has to grow under readers; so the
/// first environments of a process get much, and the more it has open the less the next one gets. They grow when they need to.
enum MapReservation {
  /// Bytes for the next environment of a process that has `open` others.
  ///
  /// - Parameters:
  ///   - wanted: What the options ask for; never more.
  ///   - needed: Bytes of the file in use; eight times as much at least, so that it does not have to grow at once.
  static func size(wanted: Int, needed: Int, open: Int) -> Int {
    let share = shares.first { open < $0.open }?.bytes ?? 1 << 26
    return max(min(wanted, max(share, grown(from: needed, 8))), 1 << 20)
  }

  /// Bytes that are left for everything else of the process: where addresses are short, maps must not take the last.
  static let spare = 1 << 28

  /// Some 80 TiB in all.
  private static let shares: [(open: Int, bytes: Int)] = [(16, 1 << 40), (1_024, 1 << 35), (8_192, 1 << 32)]

  /// A power of two that is at least some times as much as is used.
  static func grown(from used: Int, _ times: Int) -> Int {
    var size = 1 << 20
    while size < 1 << 46, size / times < used { size *= 2 }
    return size
  }

  /// Returns true if the process can reserve so many bytes more. LMDB gives up the old range before it asks for the new one, and cannot go back.
  static func isAvailable(_ bytes: Int) -> Bool {
    guard let range = mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      range != MAP_FAILED
    else { return false }
    munmap(range, bytes)
    return true
  }
}

extension Environment {
  /// Environments that this process has open.
  package static var openCount: Int { EnvironmentRegistry.shared.count }

  /// Files that this process may have open at once; nil when there is no limit.
  package static var openFileLimit: Int? {
    var limit = rlimit()
    guard getrlimit(openFilesResource, &limit) == 0, limit.rlim_cur < UInt64(Int32.max) else { return nil }
    return Int(limit.rlim_cur)
  }
}
