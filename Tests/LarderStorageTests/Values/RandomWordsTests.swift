import Foundation
import LarderLocks
import Testing

@testable import LarderStorage

@Suite struct RandomWordsTests {
  @Test func noPairIsGivenTwice() {
    let source = RandomWords()
    let seen = Lock<[UInt64]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      var words: [UInt64] = []
      for _ in 0..<5_000 {
        let pair = source.pair()
        words += [pair.0, pair.1]
      }
      seen.withLock { $0 += words }
    }
    let words = seen.withLock { $0 }
    #expect(words.count == 40_000 && Set(words).count == words.count)
    // A bit that were always the same would be a fault of the source: each is set in about half of the words.
    for bit in 0..<64 {
      let count = words.count { $0 >> UInt64(bit) & 1 == 1 }
      #expect((18_000...22_000).contains(count), "bit \(bit): \(count)")
    }
  }

  @Test func aForkedChildGivesOthers() throws {
    let source = RandomWords()
    _ = source.pair()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    // Swift does not offer it.
    typealias Fork = @convention(c) () -> Int32
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let child = fork()
    if child == 0 {
      var word = source.pair().0
      _ = write(ends[1], &word, 8)
      _exit(0)
    }
    try #require(child > 0)
    var word: UInt64 = 0
    #expect(read(ends[0], &word, 8) == 8)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(word != 0 && word != source.pair().0)
  }
}
