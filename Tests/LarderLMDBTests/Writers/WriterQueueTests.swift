import Testing

@testable import LarderLMDB

/// The value in a box, since an expectation cannot change what it looks at.
private final class Turns {
  private var queue = WriterQueue<Int>()

  var isHeld: Bool { queue.isHeld }
  var waiting: [Int] { Array(queue.waiting) }

  func enter() -> Bool { queue.enter() }
  func join(_ waiter: Int) { queue.join(waiter) }
  func resume() -> Bool { queue.resume() }
  func leave() -> Int? { queue.leave() }
}

@Suite("Queue of writers")
struct WriterQueueTests {
  @Test("no one waits where the lock is free, and the first that asked is woken")
  func order() {
    let queue = Turns()
    #expect(queue.enter())
    #expect(!queue.enter())
    queue.join(1)
    #expect(!queue.enter())
    queue.join(2)
    #expect(queue.leave() == 1)
    #expect(queue.resume())
    #expect(queue.isHeld && queue.waiting == [2])
    #expect(queue.leave() == 2)
    #expect(queue.resume())
    #expect(queue.leave() == nil)
    #expect(!queue.isHeld && queue.waiting.isEmpty)
  }

  @Test("a running thread passes the first that waits, but not for ever")
  func passing() {
    let queue = Turns()
    #expect(queue.enter())
    queue.join(1)
    queue.join(2)
    #expect(queue.leave() == 1)
    for _ in 0..<WriterQueue<Int>.mostPasses {
      #expect(queue.enter())
      // It is being woken; once is enough.
      #expect(queue.leave() == nil)
    }
    #expect(!queue.enter())
    #expect(queue.resume())
    // The next one is passed as often.
    #expect(queue.leave() == 2)
    #expect(queue.enter())
  }

  @Test("one that was woken and came too late waits on as the first, and is woken again")
  func tooLate() {
    let queue = Turns()
    #expect(queue.enter())
    queue.join(1)
    queue.join(2)
    #expect(queue.leave() == 1)
    #expect(queue.enter())
    #expect(!queue.resume())
    #expect(queue.waiting == [1, 2])
    #expect(queue.leave() == 1)
    #expect(queue.resume())
  }

  @Test("random turns: one holder at a time, and no one waits for ever", arguments: [UInt64(1), 7, 4711])
  func random(seed: UInt64) {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let queue = Turns()
    var holder: Int?
    var (woken, waiting, done) = ([Int](), [Int](), 0)
    let writers = 6
    for _ in 0..<20_000 {
      let who = next(writers)
      if holder == who {
        holder = nil
        done += 1
        if let wake = queue.leave() { woken.append(wake) }
      } else if let index = woken.firstIndex(of: who) {
        woken.remove(at: index)
        let isIn = queue.resume()
        #expect(isIn == (holder == nil), "seed \(seed)")
        if isIn {
          holder = who
          #expect(waiting.removeFirst() == who, "seed \(seed)")
        }
      } else if !waiting.contains(who), holder != who {
        if queue.enter() {
          #expect(holder == nil, "seed \(seed)")
          holder = who
        } else {
          queue.join(who)
          waiting.append(who)
        }
      }
      // Where some wait while no one holds the lock, the first is on the way.
      #expect(holder != nil || waiting.isEmpty || !woken.isEmpty, "seed \(seed)")
      #expect(woken.count <= 1, "seed \(seed)")
    }
    #expect(done > 1_000)
  }
}
