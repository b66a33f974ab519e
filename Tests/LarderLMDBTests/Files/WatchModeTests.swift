import Testing

@testable import LarderLMDB

@Suite("What is heard of a watched file")
struct WatchModeTests {
  private let unused = ForeignUse(hasReaders: false, commit: 0)

  @Test("writes are heard of until a look sees no one else, and from the next opening on")
  func openings() {
    var mode = WatchMode(now: 100)
    func look(_ use: ForeignUse) -> Bool { mode.look(use, now: mode.due) }
    #expect(mode.hearsWrites && mode.due == 100 + WatchMode.opening)
    #expect(!look(unused))
    #expect(!mode.hearsWrites)
    let looked = mode.due
    mode.opened(now: looked + 7)
    #expect(mode.hearsWrites && mode.due == looked + 7 + WatchMode.opening)
    #expect(!look(ForeignUse(hasReaders: true, commit: 5)))
    #expect(mode.hearsWrites)
    // It has ended.
    #expect(!look(unused))
    #expect(!mode.hearsWrites)
  }

  @Test("a commit that could not be heard of is noticed with the next look, and those after it are heard of")
  func missed() {
    var mode = WatchMode(now: 0)
    func look(_ use: ForeignUse) -> Bool { mode.look(use, now: mode.due) }
    #expect(!look(ForeignUse(hasReaders: false, commit: 9)))
    #expect(!mode.hearsWrites)
    #expect(!look(ForeignUse(hasReaders: false, commit: 9)))
    #expect(look(ForeignUse(hasReaders: false, commit: 10)))
    #expect(mode.hearsWrites)
    #expect(!look(unused))
    #expect(mode.hearsWrites)
  }
}
