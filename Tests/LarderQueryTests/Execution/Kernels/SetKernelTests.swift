import TestSupport
import Testing

@testable import LarderQuery

/// Tests what `IN` with many values asks for each row.
@Suite("Sets of byte strings")
struct SetKernelTests {
  /// Few letters and few lengths, so that strings share beginnings, ends and lengths.
  private func text(_ random: inout SeededRandom) -> [UInt8] {
    (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 97...98, using: &random) }
  }

  @Test("what is in the set is found, and nothing else", arguments: [0, 1, 3, 50, 5_000])
  func membership(count: Int) {
    var random = SeededRandom.forTest()
    let members = (0..<count).map { _ in text(&random) }
    let known = Set(members)
    let set = ByteSet(members)
    let others = (0..<5_000).map { _ in text(&random) }
    set.withSketch { sketch in
      for string in members + others {
        string.withUnsafeBytes { bytes in
          #expect(set.contains(bytes) == known.contains(string))
          if known.contains(string) { #expect(sketch.mayContain(bytes), "\(string)") }
        }
      }
    }
  }

  @Test("the sketch lets few strings pass that are not in the set")
  func selectivity() {
    var random = SeededRandom.forTest()
    func word() -> [UInt8] { (0..<14).map { _ in UInt8.random(in: 97...122, using: &random) } }
    let set = ByteSet((0..<10_000).map { _ in word() })
    set.withSketch { sketch in
      let passed = (0..<20_000).count { _ in word().withUnsafeBytes { sketch.mayContain($0) } }
      #expect(passed < 20_000 / 8)
    }
  }
}
