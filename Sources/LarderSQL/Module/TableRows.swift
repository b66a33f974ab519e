import CSQLite
import LarderQuery
import LarderStorage

/// Finds the rows of the scans of one cursor, and reads what the calls for them do not find in its `RowState`. Belongs to one thread.
final class TableRows {
  private let table: SQLTable
  private let store: TableStore
  /// The place of the scan, in memory that is freed with this.
  let state: UnsafeMutablePointer<RowState>
  private let sources: RowSources
  private let presence: ObjectPresence?
  private let lookups: Lookups
  /// Of a table of elements: those of the object that is visited.
  private var walk: ElementWalk?
  /// The objects of the scan where they belong to no `JoinTable`.
  private var objects: UnsafeMutablePointer<ObjectKey>?
  private var capacity = 0
  /// All objects, where only the first were found.
  private var whole: (() throws -> [ObjectKey])?

  init(_ table: SQLTable, _ store: TableStore) {
    (self.table, self.store) = (table, store)
    state = .allocate(capacity: 1)
    state.initialize(to: RowState(table))
    sources = RowSources(store.reader, store.shownKeys)
    presence = try? sources.presence(table.classID)
    lookups = Lookups(table, sources, store)
    if case .elements(_, let steps) = table.rows { walk = ElementWalk(steps, sources) }
  }

  deinit {
    objects?.deallocate()
    state.pointee.deallocate()
    state.deallocate()
  }

  /// Goes to the object with a key, if there is one.
  func start(key: Int64) throws {
    whole = nil
    if key >= 0, try contains(UInt64(key)) {
      state.pointee.begin(UInt64(key))
    } else {
      state.pointee.begin(UnsafeBufferPointer(start: nil, count: 0))
    }
    if state.pointee.isElements { try settle() }
  }

  private func contains(_ key: UInt64) throws -> Bool {
    guard let presence else { return try store.reader.contains(table.classID, ObjectKey(rawValue: key)) }
    return try presence.contains(key)
  }

  /// Goes to the first row.
  func start(
    _ number: Int32, _ arguments: UnsafeBufferPointer<OpaquePointer?>
  ) throws {
    whole = nil
    try lookups.begin(number) { store.plan(number) }
    if let only = try lookups.shown(arguments) {
      state.pointee.begin(only)
    } else if let found = try lookups.objects(arguments) {
      state.pointee.begin(found)
    } else {
      let values = arguments.map { SQLValue($0) }
      if lookups.plan.isKey(values) { state.pointee.keyPlan = number }
      let found = try lookups.find(values)
      whole = found.whole
      visit(found.keys)
    }
    try settle()
  }

  private func visit(_ keys: [ObjectKey]) {
    if keys.count > capacity {
      objects?.deallocate()
      capacity = max(keys.count, 2 * capacity)
      objects = .allocate(capacity: capacity)
    }
    let room = UnsafeMutableBufferPointer(start: objects, count: keys.count)
    _ = room.initialize(fromContentsOf: keys)
    state.pointee.begin(UnsafeBufferPointer(room))
  }

  /// Goes on where the cursor cannot by itself.
  func next() throws {
    state.pointee.elements &+= 1
    if table.isElements, try walk?.advance() == true { return }
    state.pointee.go(to: state.pointee.place + 1)
    if state.pointee.isAtEnd { try goOn() }
    try settle()
  }

  /// Goes on after a limit: SQLite offers one although it leaves rows out by conditions that it does not tell of, such as
  /// those between two columns of a table, and comes back for more.
  private func goOn() throws {
    guard let whole else { return }
    self.whole = nil
    let place = state.pointee.place
    visit(try whole())
    state.pointee.go(to: place)
  }

  /// Goes on to an object that has elements.
  private func settle() throws {
    guard table.isElements else { return }
    while !state.pointee.isAtEnd {
      if try walk?.start(state.pointee.objectKey) == true { return }
      state.pointee.go(to: state.pointee.place + 1)
    }
  }

  /// Gives the value of a column in the row, and tells the cursor where it is, if the cursor can read it.
  func give(_ index: Int, to context: OpaquePointer?) throws {
    switch table.columns[index].content {
    case .owner: sqlite3_result_int64(context, Int64(bitPattern: state.pointee.key))
    case .position(let level): sqlite3_result_int64(context, Int64(walk?.position(level) ?? 0))
    case .key(let level):
      try (walk?.key(level).map { SQLValue.text($0) } ?? .null).give(to: context)
    case .element:
      let value = try walk?.element() ?? .null
      if case .link(let key) = value, let linked = table.columns[index].linked {
        try sources.cell(linked).giveLinked(key.rawValue, to: context)
      } else {
        try sources.value(value).give(to: context)
      }
    case .property(let links, let step):
      guard var key = try object() else { return sqlite3_result_null(context) }
      for link in links {
        guard let next = try sources.cell(link).link(key) else { return sqlite3_result_null(context) }
        key = next
      }
      let cell = try sources.cell(step)
      if !table.isElements, links.isEmpty { state.pointee.cells[index] = cell }
      try cell.give(key, to: context)
    }
  }

  /// The object that properties are read of.
  private func object() throws -> UInt64? {
    guard table.isElements else { return state.pointee.key }
    guard case .link(let key)? = try walk?.element() else { return nil }
    return key.rawValue
  }
}
