import Foundation
import LarderLMDB
import Synchronization

// System calls that liblmdb makes resolve to these, because the executable comes first: so a test can make the n-th
// write of a kind fail as a broken disk does.

/// The call that fails, and when.
enum Faults {
  /// Calls of the armed kind until one fails; negative: none will.
  static let countdown = Atomic<Int>(-1)
  static let kind = Atomic<Int>(0)
  static let error = Atomic<Int32>(0)

  static let data = 1
  static let meta = 2
  static let sync = 3
  static let folder = 4

  static func fails(_ wanted: Int) -> Bool {
    guard kind.load(ordering: .relaxed) == wanted, countdown.load(ordering: .relaxed) >= 0 else { return false }
    let left = countdown.subtract(1, ordering: .relaxed).newValue
    guard left == 0 else { return false }
    errno = error.load(ordering: .relaxed)
    return true
  }

  static func original<T>(_ name: String, _ type: T.Type) -> T {
    // RTLD_NEXT: the definition after the executable's own.
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else { fatalError("no \(name)") }
    return unsafeBitCast(symbol, to: T.self)
  }

  static let pwrite = original(
    "pwrite", (@convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int).self)
  static let writev = original("writev", (@convention(c) (Int32, UnsafePointer<iovec>?, Int32) -> Int).self)
  static let fsync = original("fsync", (@convention(c) (Int32) -> Int32).self)
  static let fdatasync = original("fdatasync", (@convention(c) (Int32) -> Int32).self)
}

@_cdecl("pwrite")
func faultyPwrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t) -> Int {
  // The meta page's part that a commit writes is short; data pages come whole.
  let isMeta = count < 512
  if Faults.fails(isMeta ? Faults.meta : Faults.data) { return -1 }
  guard let bytes else { return Faults.pwrite(file, bytes, count, offset) }
  return DiskRecorder.write(file, at: Int(offset), Array(UnsafeRawBufferPointer(start: bytes, count: count))) {
    Faults.pwrite(file, bytes, count, offset)
  }
}

@_cdecl("writev")
func faultyWritev(_ file: Int32, _ parts: UnsafePointer<iovec>?, _ count: Int32) -> Int {
  if Faults.fails(Faults.data) { return -1 }
  // Only LMDB writes so: what follows each other from where the file's place is.
  let bytes = UnsafeBufferPointer(start: parts, count: Int(count)).flatMap {
    UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len)
  }
  return DiskRecorder.write(file, at: Int(lseek(file, 0, SEEK_CUR)), bytes) { Faults.writev(file, parts, count) }
}

@_cdecl("fsync")
func faultyFileSync(_ file: Int32) -> Int32 {
  var status = stat()
  let isFolder = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  return isFolder && Faults.fails(Faults.folder) ? -1 : Faults.fsync(file)
}

@_cdecl("fdatasync")
func faultySync(_ file: Int32) -> Int32 {
  let fails = Faults.fails(Faults.sync)
  let code = errno
  let result = DiskRecorder.flush(file, fails: fails) { Faults.fdatasync(file) }
  if fails { errno = code }
  return result
}

extension Job {
  /// `kind n errno`: the n-th call of that kind fails. Says the error and what the environment is good for afterwards.
  func writeWithFault(_ name: String) throws {
    let kinds = ["data": Faults.data, "meta": Faults.meta, "sync": Faults.sync]
    guard let kind = kinds[name] else { exit(64) }
    do {
      let environment = try open { $0.durability = .full }
      Faults.error.store(Int32(numbers[1]), ordering: .relaxed)
      Faults.kind.store(kind, ordering: .relaxed)
      Faults.countdown.store(numbers[0], ordering: .relaxed)
      try commitUntilFailure(environment)
      say("then \(attempt { try environment.write { try $0.put(environment.table("b"), KeyBytes(9), [9]) } })")
      say("read \(attempt { _ = try environment.beginRead() })")
    }
    // Every reference was released: it is closed, and opens again.
    let environment = try open { $0.durability = .full }
    say("entries \(try environment.beginRead().statistics(environment.table("a")).entries)")
    say("again \(attempt { try environment.write { try $0.put(environment.table("b"), KeyBytes(9), [9]) } })")
    _ = try environment.checkPages()
  }

  /// Copies, compacts and makes a file, and each time the flush of the folder fails. Says the errors, and whether the files are there.
  func changeUnflushedFolder() throws {
    func unflushed(_ body: () throws -> Void) -> String {
      Faults.error.store(EIO, ordering: .relaxed)
      Faults.kind.store(Faults.folder, ordering: .relaxed)
      Faults.countdown.store(1, ordering: .relaxed)
      defer { Faults.countdown.store(-1, ordering: .relaxed) }
      return attempt(body)
    }
    let copy = path + ".copy"
    do {
      let environment = try open()
      try environment.write { try $0.put(environment.table("a"), KeyBytes(0), [UInt8](repeating: 1, count: 100_000)) }
      _ = try environment.write { try $0.delete(environment.table("a"), KeyBytes(0)) }
      for isCompact in [false, true] {
        let error = unflushed { try environment.copy(to: copy, compacting: isCompact) }
        say("copy \(error) \(access(copy, F_OK) == 0)")
      }
      say("again \(attempt { try environment.copy(to: copy) }) \(access(copy, F_OK) == 0)")
    }
    func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? -1 }
    let before = size()
    let compacted = unflushed { try Environment.withExclusiveUse(of: path) { try $0.compact() } }
    say("compact \(compacted) \(size() < before)")
    let removed = unflushed { try Environment.withExclusiveUse(of: path) { try $0.removeData() } }
    say("remove \(removed) \(access(path, F_OK) == 0)")
    // Another process may have begun to use a new file.
    say("make \(unflushed { _ = try open() }) \(access(path, F_OK) == 0)")
  }

  private func commitUntilFailure(_ environment: Environment) throws {
    var committed = 0
    for key in UInt64(0)..<15 {
      let result = attempt {
        try environment.write { try $0.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: 1, count: 500)) }
      }
      if result != "ok" {
        say("committed \(committed) \(result)")
        return
      }
      committed += 1
    }
    say("committed \(committed) never")
  }

  private func attempt(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "ok"
    } catch let error as LMDBError {
      return "\(error.code.rawValue)"
    } catch {
      return "\(error)"
    }
  }
}
