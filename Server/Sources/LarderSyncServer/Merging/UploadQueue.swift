/// Commits that wait to be merged, in the order in which they came, and what became of those that were submitted together. A state machine without
/// clock and store.
struct UploadQueue: Sendable {
  /// The number of commits that were submitted together, and are answered together.
  typealias Ticket = Int

  /// A commit in a batch.
  struct Item: Sendable {
    let ticket: Ticket
    let upload: SubmittedUpload
  }

  private struct Submission {
    var outcomes: [UploadOutcome] = []
    let count: Int
  }

  private var submissions: [Ticket: Submission] = [:]
  private var items: [Item] = []
  /// The index of the first one that waits.
  private var first = 0
  private var lastTicket = 0

  /// The number of commits that wait.
  var count: Int { items.count - first }

  /// Adds commits, of which there must be some.
  mutating func add(_ uploads: [SubmittedUpload]) -> Ticket {
    lastTicket += 1
    submissions[lastTicket] = Submission(count: uploads.count)
    for upload in uploads { items.append(Item(ticket: lastTicket, upload: upload)) }
    return lastTicket
  }

  /// Takes the next commits: at most so many, and no further one that would make them more than so many bytes.
  mutating func take(atMost most: Int, bytes: Int) -> [Item] {
    var batch: [Item] = []
    var size = 0
    while first < items.count, batch.count < most {
      let next = items[first]
      guard batch.isEmpty || size + next.upload.size <= bytes else { break }
      size += next.upload.size
      batch.append(next)
      first += 1
    }
    // In pieces, so that taking costs the same however many wait.
    if first == items.count || first > 1000 {
      items.removeFirst(first)
      first = 0
    }
    return batch
  }

  /// Returns true if those who submitted a commit have got no answer yet.
  func isUnanswered(_ item: Item) -> Bool { submissions[item.ticket] != nil }

  /// Takes what became of a batch's commits, in their order, and returns the submissions of which everything is known now.
  mutating func answer(_ batch: [Item], _ outcomes: [UploadOutcome]) -> [(ticket: Ticket, outcomes: [UploadOutcome])] {
    var complete: [(ticket: Ticket, outcomes: [UploadOutcome])] = []
    for (item, outcome) in zip(batch, outcomes) {
      guard var submission = submissions.removeValue(forKey: item.ticket) else { continue }
      submission.outcomes.append(outcome)
      if submission.outcomes.count == submission.count {
        complete.append((item.ticket, submission.outcomes))
      } else {
        submissions[item.ticket] = submission
      }
    }
    return complete
  }

  /// Forgets the submissions that a batch's commits are of, with what still waits of them, and returns them.
  mutating func fail(_ batch: [Item]) -> [Ticket] {
    var failed: [Ticket] = []
    for item in batch where submissions.removeValue(forKey: item.ticket) != nil { failed.append(item.ticket) }
    guard !failed.isEmpty else { return [] }
    items = items[first...].filter { submissions[$0.ticket] != nil }
    first = 0
    return failed
  }

  /// Forgets everything, and returns the submissions.
  mutating func failAll() -> [Ticket] {
    let failed = submissions.keys.sorted()
    submissions = [:]
    items = []
    first = 0
    return failed
  }
}
