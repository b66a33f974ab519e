import Testing

@testable import LarderSyncServer

/// The order in which commits become batches, and when those who submitted them are answered.
@Suite struct UploadQueueTests {
  private func uploads(_ site: Int, _ versions: ClosedRange<Int>) throws -> [SubmittedUpload] {
    try versions.map { try SubmittedUpload.test(.test(site), .create($0, task: 1)) }
  }

  private func versions(_ batch: [UploadQueue.Item]) -> [[UInt64]] {
    batch.map { [$0.upload.site.low, $0.upload.commit.siteVersion] }
  }

  @Test("batches have commits in the order in which they came, up to a number and a size")
  func order() throws {
    var queue = UploadQueue()
    _ = queue.add(try uploads(1, 1...2))
    _ = queue.add(try uploads(2, 1...3))
    #expect(queue.count == 5)
    #expect(versions(queue.take(atMost: 3, bytes: 1000)) == [[1, 1], [1, 2], [2, 1]])
    // Each takes 100 bytes.
    #expect(versions(queue.take(atMost: 3, bytes: 199)) == [[2, 2]])
    #expect(versions(queue.take(atMost: 3, bytes: 1)) == [[2, 3]])
    #expect(queue.take(atMost: 3, bytes: 1000).isEmpty)
    #expect(queue.count == 0)
  }

  @Test("what was submitted together is answered together, over several batches")
  func answers() throws {
    var queue = UploadQueue()
    let first = queue.add(try uploads(1, 1...3))
    let second = queue.add(try uploads(2, 1...1))
    let batches = [queue.take(atMost: 2, bytes: 1000), queue.take(atMost: 2, bytes: 1000)]
    #expect(queue.answer(batches[0], [.merged(version: 1), .duplicate]).isEmpty)
    let complete = queue.answer(batches[1], [.gap(expected: 9), .fenced])
    #expect(complete.map(\.ticket) == [first, second])
    #expect(complete.map(\.outcomes) == [[.merged(version: 1), .duplicate, .gap(expected: 9)], [.fenced]])
    #expect(queue.failAll().isEmpty)
  }

  @Test("a batch that fails takes along what waits of the same submissions, and nothing else")
  func failures() throws {
    var queue = UploadQueue()
    let first = queue.add(try uploads(1, 1...3))
    let batch = queue.take(atMost: 2, bytes: 1000)
    let second = queue.add(try uploads(2, 1...2))
    #expect(batch.allSatisfy { queue.isUnanswered($0) })
    #expect(queue.fail(batch) == [first])
    #expect(batch.allSatisfy { !queue.isUnanswered($0) })
    #expect(queue.fail(batch).isEmpty)
    #expect(versions(queue.take(atMost: 1, bytes: 1000)) == [[2, 1]])
    #expect(queue.failAll() == [second])
    #expect(queue.count == 0)
    #expect(queue.answer(batch, [.duplicate, .duplicate]).isEmpty)
  }

  @Test("many commits are taken in their order")
  func many() throws {
    var queue = UploadQueue()
    for site in 1...30 { _ = queue.add(try uploads(site, 1...100)) }
    var taken: [[UInt64]] = []
    while queue.count > 0 { taken += versions(queue.take(atMost: 7, bytes: 100_000)) }
    let expected = (1...30).flatMap { site in (1...100).map { [UInt64(site), UInt64($0)] } }
    #expect(taken == expected)
  }
}
