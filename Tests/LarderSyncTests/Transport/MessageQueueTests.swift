import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Messages between network and engine")
struct MessageQueueTests {
  @Test("Messages are put together from frames up to a limit")
  func assembly() throws {
    var assembly = MessageAssembly(limit: 4)
    #expect(try assembly.take(.binary([1, 2, 3, 4], isLast: true)) == [1, 2, 3, 4])
    #expect(try assembly.take(.binary([1], isLast: false)) == nil)
    #expect(try assembly.take(.continuation([], isLast: false)) == nil)
    #expect(try assembly.take(.continuation([2, 3], isLast: true)) == [1, 2, 3])
    #expect(throws: MessageAssembly.Failure.tooLarge(5)) { try assembly.take(.binary([1, 2, 3, 4, 5], isLast: true)) }
    #expect(throws: MessageAssembly.Failure.text) { try assembly.take(.text) }
  }

  @Test("Frames at the wrong time are refused")
  func order() throws {
    var assembly = MessageAssembly(limit: 4)
    #expect(throws: MessageAssembly.Failure.order) { try assembly.take(.continuation([1], isLast: true)) }
    #expect(try assembly.take(.binary([1, 2, 3], isLast: false)) == nil)
    #expect(throws: MessageAssembly.Failure.order) { try assembly.take(.binary([1], isLast: true)) }
    #expect(throws: MessageAssembly.Failure.tooLarge(5)) { try assembly.take(.continuation([1, 2], isLast: true)) }
  }

  @Test("Reading stops while enough messages wait, and goes on when they are taken")
  func pressure() {
    var queue = MessageQueue<Int>(capacity: 5)
    #expect(queue.wantsMore)
    #expect(queue.append([1, 2, 3]) == nil)
    #expect(queue.wantsMore)
    #expect(queue.append([4, 5]) == nil)
    #expect(!queue.wantsMore)
    guard case .message([1, 2, 3]) = queue.next(1) else {
      Issue.record("the first message is not there")
      return
    }
    #expect(queue.wantsMore)
  }

  @Test("Whoever waits gets the next message, or the end")
  func waiting() {
    var queue = MessageQueue<Int>(capacity: 5)
    guard case .waits = queue.next(1), case .busy = queue.next(2) else {
      Issue.record("one may wait, and no other")
      return
    }
    #expect(queue.append([1]) == 1)
    guard case .waits = queue.next(3) else {
      Issue.record("the message was handed out")
      return
    }
    #expect(queue.end() == 3)
    #expect(queue.end() == nil)
    #expect(!queue.wantsMore)
    #expect(queue.append([2]) == nil)
    guard case .ended = queue.next(4) else {
      Issue.record("nothing comes after the end")
      return
    }
  }
}
