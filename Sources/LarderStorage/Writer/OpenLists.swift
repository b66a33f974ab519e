import LarderLMDB

/// The lists that a transaction has opened, with what they hold in memory.
///
/// A list is opened once, stays decoded while it changes, and is written at the next flush. When all of them together take too much, or
/// are too many, they are written and closed. What searches in long lists have learnt outlives that.
struct OpenLists {
  private var lists: [ListID: OpenList] = [:]
  /// Those of them that changed since they were written.
  private(set) var changed: [OpenList] = []
  /// Those that changed since bytes were counted.
  private var uncounted: [OpenList] = []
  /// Estimated bytes that the lists hold.
  private(set) var bytes = 0
  /// Elements of the lists that the transaction has written, those that were written twice counted twice.
  private(set) var writtenElements = 0
  /// The filters of lists that were closed.
  private(set) var searches: [ListID: LinkSearch] = [:]
  /// True if lists were written out and closed: a list of a new object may then be stored already.
  private(set) var hasClosed = false
  /// The lists are to be closed when they hold more bytes than this.
  var limit = HostileSettings.current.memory(CachePolicy.listBytes)

  subscript(id: ListID) -> OpenList? { lists[id] }

  var count: Int { lists.count }
  var hasChanges: Bool { !changed.isEmpty }
  var hasSeveralChanges: Bool { changed.count > 1 }
  var isFull: Bool { count >= CachePolicy.openLists }

  /// Returns true if the lists hold more than they may; those that changed are counted again.
  mutating func isOverLimit() -> Bool {
    for list in uncounted {
      bytes += list.editor.heldBytes - list.countedBytes
      list.countedBytes = list.editor.heldBytes
    }
    uncounted.removeAll(keepingCapacity: true)
    return bytes > limit
  }

  mutating func insert(_ list: OpenList) { lists[list.id] = list }

  /// To be called right before each change of a list, which may have been closed since it was opened.
  mutating func register(_ list: OpenList) {
    if !list.isRegistered {
      list.isRegistered = true
      list.countedBytes = 0
      lists[list.id] = list
    }
    if !list.isChanged {
      list.isChanged = true
      changed.append(list)
    }
    if uncounted.last !== list { uncounted.append(list) }
  }

  /// Writes the lists that changed.
  mutating func write(in transaction: WriteTransaction) throws {
    for list in changed.sorted(by: { $0.id < $1.id }) {
      try list.editor.flush(transaction)
      writtenElements += list.editor.count
      list.isChanged = false
    }
    changed = []
  }

  /// Closes every list; those that changed must be written.
  mutating func close() {
    for list in lists.values { list.isRegistered = false }
    keepSearches()
    hasClosed = hasClosed || !lists.isEmpty
    lists = [:]
    bytes = 0
    uncounted = []
  }

  /// Keeps what searches in long lists have learnt, as far as it takes little memory: without it the first search in a list that is
  /// opened again would look at every element.
  private mutating func keepSearches() {
    for (id, list) in lists {
      if list.editor.root.level > 0, let search = list.editor.search { searches[id] = search }
    }
    let taken = searches.values.reduce(64 * searches.count) { $0 + $1.bytes }
    if taken > limit { searches = [:] }
  }

  /// Forgets the lists after a part of the transaction was undone. What was written before stays counted.
  mutating func rollBack() {
    forget()
    bytes = 0
  }

  /// Forgets the lists at the end of the transaction. Their searches know nothing of elements that are back.
  mutating func forget() {
    lists = [:]
    changed = []
    uncounted = []
    searches = [:]
  }
}
