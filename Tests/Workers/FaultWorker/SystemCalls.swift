import Foundation
import Synchronization

// System calls that this program makes, liblmdb's and Foundation's among them, resolve to the functions below, because the executable
// comes first. So every single one can be made to fail.

/// A group of system calls that change files or map them.
enum CallKind: Int, CaseIterable {
  case write = 1
  case sync, truncate, rename, map
  /// Opening or making a file, removing one, locking a part of one, and reading without a map.
  case open, remove, lock, read

  /// The error of a broken or a full system.
  var error: Int32 {
    switch self {
    case .write, .truncate: ENOSPC
    case .sync, .rename, .remove, .read: EIO
    case .map: ENOMEM
    case .open: EMFILE
    case .lock: ENOLCK
    }
  }
}

/// Counts calls, and makes the armed one fail: once, or from then on for good.
enum Faults {
  private static let armed = Atomic<Int>(0)
  private static let left = Atomic<Int>(0)
  private static let lasts = Atomic<Bool>(false)
  private static let isCounting = Atomic<Bool>(false)
  private static let counts = CallKind.allCases.map { _ in Counter() }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  /// The `number`th call of the kind fails, and with `lasts` all later ones of the kind.
  static func arm(_ kind: CallKind, number: Int, lasts: Bool) {
    left.store(number, ordering: .sequentiallyConsistent)
    self.lasts.store(lasts, ordering: .sequentiallyConsistent)
    armed.store(kind.rawValue, ordering: .sequentiallyConsistent)
  }

  static func disarm() { armed.store(0, ordering: .sequentiallyConsistent) }

  /// Counts the calls of each kind that `body` makes.
  static func counting(_ body: () throws -> Void) rethrows -> [CallKind: Int] {
    for kind in CallKind.allCases { count(kind).value.store(0, ordering: .sequentiallyConsistent) }
    isCounting.store(true, ordering: .sequentiallyConsistent)
    defer { isCounting.store(false, ordering: .sequentiallyConsistent) }
    try body()
    return Dictionary(
      uniqueKeysWithValues: CallKind.allCases.map { ($0, count($0).value.load(ordering: .sequentiallyConsistent)) })
  }

  private static func count(_ kind: CallKind) -> Counter { counts[kind.rawValue - 1] }

  /// True if this call is to fail; `errno` is set then.
  static func fails(_ kind: CallKind) -> Bool {
    if isCounting.load(ordering: .relaxed) { count(kind).value.add(1, ordering: .relaxed) }
    guard armed.load(ordering: .relaxed) == kind.rawValue else { return false }
    let now = left.subtract(1, ordering: .relaxed).newValue
    guard now == 0 || now < 0 && lasts.load(ordering: .relaxed) else { return false }
    errno = kind.error
    return true
  }
}

/// The definitions after the executable's own.
private enum Original {
  private static func symbol<T>(_ name: String, _ type: T.Type) -> T {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else { fatalError("no \(name)") }
    return unsafeBitCast(symbol, to: T.self)
  }

  static let pwrite = symbol("pwrite", (@convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int).self)
  static let writev = symbol("writev", (@convention(c) (Int32, UnsafePointer<iovec>?, Int32) -> Int).self)
  static let write = symbol("write", (@convention(c) (Int32, UnsafeRawPointer?, Int) -> Int).self)
  static let fsync = symbol("fsync", (@convention(c) (Int32) -> Int32).self)
  static let fdatasync = symbol("fdatasync", (@convention(c) (Int32) -> Int32).self)
  static let ftruncate = symbol("ftruncate", (@convention(c) (Int32, off_t) -> Int32).self)
  static let rename = symbol("rename", (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32).self)
  static let link = symbol("link", (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32).self)
  static let unlink = symbol("unlink", (@convention(c) (UnsafePointer<CChar>?) -> Int32).self)
  static let open = symbol("open", (@convention(c) (UnsafePointer<CChar>?, Int32, mode_t) -> Int32).self)
  static let fcntl = symbol("fcntl", (@convention(c) (Int32, Int32, Int) -> Int32).self)
  static let flock = symbol("flock", (@convention(c) (Int32, Int32) -> Int32).self)
  static let pread = symbol("pread", (@convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int).self)
  static let read = symbol("read", (@convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int).self)
  static let msync = symbol("msync", (@convention(c) (UnsafeMutableRawPointer?, Int, Int32) -> Int32).self)
  static let mmap = symbol(
    "mmap",
    (@convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t) -> UnsafeMutableRawPointer?).self)
}

@_cdecl("pwrite")
func faultyPwrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t) -> Int {
  Faults.fails(.write) ? -1 : Original.pwrite(file, bytes, count, offset)
}

@_cdecl("writev")
func faultyWritev(_ file: Int32, _ parts: UnsafePointer<iovec>?, _ count: Int32) -> Int {
  Faults.fails(.write) ? -1 : Original.writev(file, parts, count)
}

@_cdecl("write")
func faultyWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  // Standard output and error tell what happens.
  file > 2 && Faults.fails(.write) ? -1 : Original.write(file, bytes, count)
}

@_cdecl("fsync")
func faultyFsync(_ file: Int32) -> Int32 { Faults.fails(.sync) ? -1 : Original.fsync(file) }

@_cdecl("fdatasync")
func faultyFdatasync(_ file: Int32) -> Int32 { Faults.fails(.sync) ? -1 : Original.fdatasync(file) }

@_cdecl("ftruncate")
func faultyTruncate(_ file: Int32, _ length: off_t) -> Int32 {
  Faults.fails(.truncate) ? -1 : Original.ftruncate(file, length)
}

@_cdecl("rename")
func faultyRename(_ old: UnsafePointer<CChar>?, _ new: UnsafePointer<CChar>?) -> Int32 {
  Faults.fails(.rename) ? -1 : Original.rename(old, new)
}

@_cdecl("link")
func faultyLink(_ old: UnsafePointer<CChar>?, _ new: UnsafePointer<CChar>?) -> Int32 {
  Faults.fails(.rename) ? -1 : Original.link(old, new)
}

@_cdecl("msync")
func faultyMsync(_ start: UnsafeMutableRawPointer?, _ length: Int, _ flags: Int32) -> Int32 {
  Faults.fails(.sync) ? -1 : Original.msync(start, length, flags)
}

@_cdecl("unlink")
func faultyUnlink(_ path: UnsafePointer<CChar>?) -> Int32 { Faults.fails(.remove) ? -1 : Original.unlink(path) }

// `open` and `fcntl` take a variable number of arguments, which the calling conventions of Linux pass like others.
@_cdecl("open")
func faultyOpen(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: mode_t) -> Int32 {
  Faults.fails(.open) ? -1 : Original.open(path, flags, mode)
}

@_cdecl("fcntl")
func faultyFcntl(_ file: Int32, _ command: Int32, _ argument: Int) -> Int32 {
  let locks = [F_GETLK, F_SETLK, F_SETLKW].contains(command)
  return locks && Faults.fails(.lock) ? -1 : Original.fcntl(file, command, argument)
}

@_cdecl("flock")
func faultyFlock(_ file: Int32, _ operation: Int32) -> Int32 {
  Faults.fails(.lock) ? -1 : Original.flock(file, operation)
}

@_cdecl("pread")
func faultyPread(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ offset: off_t) -> Int {
  Faults.fails(.read) ? -1 : Original.pread(file, bytes, count, offset)
}

@_cdecl("read")
func faultyRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  file > 2 && Faults.fails(.read) ? -1 : Original.read(file, bytes, count)
}

@_cdecl("mmap")
func faultyMap(
  _ address: UnsafeMutableRawPointer?, _ length: Int, _ access: Int32, _ flags: Int32, _ file: Int32, _ offset: off_t
) -> UnsafeMutableRawPointer? {
  // Memory of the program itself is never refused: no Swift program survives that.
  file >= 0 && Faults.fails(.map) ? MAP_FAILED : Original.mmap(address, length, access, flags, file, offset)
}
