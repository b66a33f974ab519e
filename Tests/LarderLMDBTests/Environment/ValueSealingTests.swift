import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import LarderLMDB

/// A cipher that anybody can break: eight bytes of counter, eight of a sum over table and key, the bytes turned round.
private final class TurningCipher: ValueCipher {
  struct Damage: Error {}

  let overhead = 16
  private let counter = Lock<UInt64>(0)
  /// Values opened so far.
  let opened = Lock(0)

  func seals(_ table: Table, _ key: UnsafeRawBufferPointer) -> Bool { !(table.name == "b" && key.first == 0xFF) }

  private func sum(_ table: Table, _ key: UnsafeRawBufferPointer, _ value: some Sequence<UInt8>) -> UInt64 {
    (Array(table.name.utf8) + Array(key) + Array(value)).reduce(7) { $0 &* 31 &+ UInt64($1) }
  }

  func seal(
    _ value: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer, transaction: UInt64,
    into room: UnsafeMutableRawBufferPointer
  ) throws {
    let number = counter.withLock { counter in
      counter += 1
      return counter
    }
    room.storeBytes(of: number, as: UInt64.self)
    room.storeBytes(of: sum(table, key, value), toByteOffset: 8, as: UInt64.self)
    for (place, byte) in value.enumerated() { room[16 + place] = ~byte }
  }

  func open(
    _ sealed: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    opened.withLock { $0 += 1 }
    for place in room.indices { room[place] = ~sealed[16 + place] }
    return sealed.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == sum(table, key, room)
  }

  func damage(_ table: Table) -> any Error { Damage() }
}

@Suite("Sealed values") struct ValueSealingTests {
  private let directory: TemporaryDirectory
  private let environment: Environment
  private let cipher = TurningCipher()

  init() throws {
    directory = try TemporaryDirectory()
    environment = try openEnvironment(directory)
    environment.seal(with: cipher)
  }

  private func bytes(_ number: UInt64) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 40) }

  @Test("every way to read and write passes values through the cipher, in read and in write transactions")
  func everyWay() throws {
    let table = environment.table("a")
    try environment.write { transaction in
      try transaction.put(table, KeyBytes(1), bytes(1))
      #expect(try bytes(2).withUnsafeBytes { try transaction.insert(table, KeyBytes(2), $0) })
      #expect(try !bytes(9).withUnsafeBytes { try transaction.insert(table, KeyBytes(2), $0) })
      try transaction.put(table, KeyBytes(3), count: 40) { room in for place in room.indices { room[place] = 3 } }
      #expect(try transaction.get(table, KeyBytes(3))?.bytes == bytes(3))
      try transaction.savepoint { try transaction.put(table, KeyBytes(4), bytes(4), append: true) }
      let cursor = try transaction.cursor(table)
      #expect(try cursor.seek(KeyBytes(2))?.value.bytes == bytes(2))
      #expect(try cursor.next()?.value.bytes == bytes(3))
      #expect(try cursor.last()?.value.bytes == bytes(4))
    }
    let reading = try environment.beginRead()
    for purpose in [CursorPurpose.reading, .walking, .examining] {
      let cursor = try reading.cursor(table, for: purpose)
      for number in 1...4 as ClosedRange<UInt64> {
        let entry = try number == 1 ? cursor.first() : cursor.next()
        #expect(entry?.value.bytes == bytes(number))
        #expect(try reading.get(table, KeyBytes(number))?.bytes == bytes(number))
      }
      #expect(try cursor.next() == nil)
      #expect(try cursor.last()?.value.bytes == bytes(4))
      #expect(try cursor.previous()?.value.bytes == bytes(3))
      #expect(try cursor.current()?.value.bytes == bytes(3))
      #expect(try cursor.find(KeyBytes(2))?.value.bytes == bytes(2))
    }
    let file = try Data(contentsOf: URL(fileURLWithPath: environment.path))
    #expect(file.range(of: Data(bytes(3))) == nil && file.range(of: Data(bytes(3).map { ~$0 })) != nil)
  }

  @Test("what is not sealed stays as it is, and LMDB's own tables are left alone")
  func exceptions() throws {
    let table = environment.table("b")
    let key = KeyBytes(bytes: [0xFF, 1])
    try environment.write { try $0.put(table, key, [1, 2, 3]) }
    #expect(try environment.beginRead().get(table, key)?.bytes == [1, 2, 3])
    #expect(try environment.beginRead().freePages() >= 0)
    #expect(try Set(environment.tableNames()) == ["a", "b"])
  }

  @Test("views live as long as their transaction, and a value that no commit changed is opened once")
  func lifetimes() throws {
    let table = environment.table("a")
    try environment.write { transaction in
      for number in 0..<200 as Range<UInt64> { try transaction.put(table, KeyBytes(number), bytes(number)) }
    }
    let first = try environment.beginRead()
    let views = try (0..<200 as Range<UInt64>).map { try #require(try first.get(table, KeyBytes($0))) }
    try environment.write { try $0.put(table, KeyBytes(7), bytes(99)) }
    let second = try environment.beginRead()
    let before = cipher.opened.withLock { $0 }
    for number in 0..<200 as Range<UInt64> {
      #expect(try second.get(table, KeyBytes(number))?.bytes == bytes(number == 7 ? 99 : number))
    }
    #expect(cipher.opened.withLock { $0 } == before + 1)
    for (number, view) in views.enumerated() { #expect(view.bytes == bytes(UInt64(number))) }
    withExtendedLifetime(first) {}
  }

  @Test("a value under another key or with another byte is the cipher's error, and empty to who examines")
  func damage() throws {
    let plain = try openEnvironment(directory, "plain")
    let table = environment.table("a")
    try environment.write {
      for number in 1...3 as ClosedRange<UInt64> { try $0.put(table, KeyBytes(number), bytes(number)) }
    }
    try environment.copy(to: directory.file("copied"))
    withExtendedLifetime(plain) {}
    // The same file without a cipher: what is in it can be moved about.
    let other = try openEnvironment(directory, "copied")
    try other.write { transaction in
      let sealed = try #require(try transaction.get(other.table("a"), KeyBytes(1))).bytes
      try transaction.put(other.table("a"), KeyBytes(2), sealed)
      try transaction.put(other.table("a"), KeyBytes(3), [UInt8](repeating: 1, count: 9))
    }
    other.seal(with: cipher)
    let reading = try other.beginRead()
    #expect(try reading.get(other.table("a"), KeyBytes(1))?.bytes == bytes(1))
    for key in [2, 3] as [UInt64] {
      #expect(throws: TurningCipher.Damage.self) { try reading.get(other.table("a"), KeyBytes(key)) }
      #expect(throws: TurningCipher.Damage.self) {
        try reading.cursor(other.table("a"), for: .walking).find(KeyBytes(key))
      }
      let examined = try reading.cursor(other.table("a"), for: .examining).find(KeyBytes(key))
      #expect(examined?.value.count == 0)
    }
    // Even when the value was opened before, under its own key.
    #expect(throws: TurningCipher.Damage.self) { try reading.get(other.table("a"), KeyBytes(2)) }
  }

  @Test("values that are not read again make room for others")
  func recent() throws {
    let sealing = ValueSealing(cipher, recentBytes: 8 * 1_024)
    let table = environment.table("a")
    func sealed(_ number: UInt64) throws -> [UInt8] {
      var room = [UInt8](repeating: 0, count: 56)
      try KeyBytes(number).withBytes { key in
        try bytes(number).withUnsafeBytes { value in
          try room.withUnsafeMutableBytes { try cipher.seal(value, table, key, transaction: 1, into: $0) }
        }
      }
      return room
    }
    func open(_ value: [UInt8], _ number: UInt64) throws -> [UInt8] {
      try value.withUnsafeBytes { value in
        let view = ByteView(base: try #require(value.baseAddress), count: value.count)
        return try KeyBytes(number).withBytes { try sealing.open(view, table, $0) }.view.bytes
      }
    }
    let values = try (0..<100 as Range<UInt64>).map { try sealed($0) }
    for _ in 0..<3 {
      for (number, value) in values.enumerated() {
        #expect(try open(value, UInt64(number)) == bytes(UInt64(number)))
        // Used all the time, it stays.
        #expect(try open(values[0], 0) == bytes(0))
      }
    }
    let opened = cipher.opened.withLock { $0 }
    #expect(opened > 150 && opened <= 300, "\(opened)")
  }
}
