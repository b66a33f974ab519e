import Foundation
import LarderLMDB

extension Job {
  /// `count`: opens so many environments with the usual options, writes to each, and ten of them until their maps have grown.
  func openMany() throws {
    // Each takes a handful of descriptors.
    try raiseFileLimit()
    var opened: [Environment] = []
    for number in 0..<numbers[0] {
      let environment = try openNumbered(number)
      try put(environment, 1, size: 100)
      opened.append(environment)
    }
    var grown = 0
    for environment in opened.suffix(10) {
      let before = environment.mapSize
      try environment.growMap(beyond: before)
      try put(environment, 2, size: 100_000)
      grown += environment.mapSize > before ? 1 : 0
    }
    let entries = try opened.filter { try $0.beginRead().get($0.table("a"), KeyBytes(1)) != nil }.count
    say("open \(opened.count) grown \(grown) entries \(entries)")
  }

  /// 1: opens until no more files may be open, 2: until no more addresses may be reserved. Says the error; the first is usable then.
  func openUntilLimit() throws {
    let resource = numbers[0] == 1 ? RLIMIT_NOFILE : RLIMIT_AS
    // On top of what is reserved already, which is much under the address sanitizer.
    let bound = rlim_t(numbers[0] == 1 ? 64 : reservedAddresses() + (3 << 40))
    var limit = rlimit(rlim_cur: bound, rlim_max: bound)
    guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { exit(65) }
    var opened: [Environment] = []
    do {
      for number in 0..<2_000 { opened.append(try openNumbered(number)) }
      say("no limit")
    } catch let error as LMDBError {
      let first = opened[0]
      try put(first, 1, size: 10)
      _ = try first.beginRead()
      say("\(error.code.rawValue) \(error.detail) after \(opened.count): still usable")
    }
  }

  /// Bytes of addresses that this process has reserved; 0 where the system does not say.
  private func reservedAddresses() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
    return (pages.flatMap { Int($0) } ?? 0) * Int(getpagesize())
  }

  private func openNumbered(_ number: Int) throws -> Environment {
    var options = EnvironmentOptions(tables: ["a", "b"])
    options.durability = .none
    return try Environment.open(path: "\(path)-\(number)", options: options)
  }

  private func put(_ environment: Environment, _ key: UInt64, size: Int) throws {
    try environment.write { try $0.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: 1, count: size)) }
  }

  private func raiseFileLimit() throws {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { exit(65) }
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { exit(65) }
  }
}
