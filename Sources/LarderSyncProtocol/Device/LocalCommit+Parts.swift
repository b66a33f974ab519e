// Transactions that are too large for one commit.
extension LocalCommit {
  /// The transaction as the commits that it is sent as: one, unless it is too large for that and can be taken apart by its objects. One that cannot is
  /// left as it is, and the server has the last word; stores refuse it before.
  ///
  /// - Parameter nonce: Returns a random number for each further commit.
  public func parts(nonce: () -> UInt64) -> [LocalCommit] {
    guard !weight.fits else { return [self] }
    var transaction = TransactionParts<ObjectName>()
    // What was there before it was synchronised is no transaction of the program's: links do not keep it together.
    var older: Set<ObjectName> = []
    for edit in edits {
      if edit.change.isBaseline { older.insert(edit.object) }
      transaction.add(
        edit.object, edit.weight, isDeletion: edit.change == .delete,
        links: older.contains(edit.object) ? [] : edit.change.links)
    }
    guard let groups = try? transaction.split(), groups.count > 1 else { return [self] }
    var places: [ObjectName: Int] = [:]
    for (index, group) in groups.enumerated() { for object in group { places[object] = index } }
    var parts = Array(repeating: [LocalEdit](), count: groups.count)
    for edit in edits { parts[places[edit.object] ?? 0].append(edit) }
    return parts.enumerated().map { index, edits in
      LocalCommit(
        time: time.later(by: index), nonce: index == 0 ? self.nonce : nonce(), edits: edits)
    }
  }

  /// About how much of a message the transaction takes.
  var weight: TransactionWeight { edits.reduce(.zero) { $0 + $1.weight } }
}

extension SyncTime {
  /// The time some steps later; the last of all times where there is none.
  fileprivate func later(by steps: Int) -> SyncTime {
    let (sum, overflow) = rawValue.addingReportingOverflow(UInt64(steps))
    return SyncTime(rawValue: overflow ? .max : sum)
  }
}

extension LocalEdit {
  fileprivate var weight: TransactionWeight {
    var weight = TransactionWeight.change + change.weight
    if case .string(let key) = object.key { weight.bytes += key.string.utf8.count }
    return weight
  }
}

extension LocalChange {
  fileprivate var weight: TransactionWeight {
    let way = (path?.steps ?? []).reduce(TransactionWeight.zero) { $0 + $1.weight }
    return way + values.reduce(.zero) { $0 + $1.weight } + extra
  }

  /// The weight of keys and removals, which come on top of the path and the values.
  private var extra: TransactionWeight {
    switch self {
    case .mapPut(_, let key, _), .mapRemove(_, let key): .text(key.string.utf8.count)
    case .listRemove(_, _, let count, _): .removal * count
    case .listClear(_, let size): .removal * size
    default: .zero
    }
  }

  private var values: [SyncValue] {
    switch self {
    case .create(let properties): properties.map(\.value)
    case .set(_, let value), .setInsert(_, let value), .setRemove(_, let value), .mapPut(_, _, let value): [value]
    case .listInsert(_, _, let values, _): values
    case .delete, .add, .setClear, .mapRemove, .mapClear, .listRemove, .listMove, .listClear: []
    }
  }

  /// The objects that its values link to.
  fileprivate var links: [ObjectName] {
    var links: [ObjectName] = []
    for value in values { value.addLinks(to: &links) }
    return links
  }
}

extension LocalStep {
  fileprivate var weight: TransactionWeight {
    if case .key(let key) = self { return .step + .text(key.string.utf8.count) }
    return .step
  }
}

extension SyncValue {
  fileprivate var weight: TransactionWeight {
    switch self {
    case .string(let text): .text(text.string.utf8.count)
    case .data(let bytes): .text(bytes.count)
    case .link(let object):
      if case .string(let key) = object.key { .text(key.string.utf8.count) } else { .text(16) }
    case .embedded(let embedded): embedded.properties.reduce(.container) { $0 + $1.value.weight }
    case .list(let list): list.entries.reduce(.container) { $0 + $1.value.weight }
    case .set(let set): set.values.reduce(.container) { $0 + $1.weight }
    case .map(let map):
      map.entries.reduce(.container) { $0 + .text($1.key.string.utf8.count) + $1.value.weight }
    case .null, .bool, .int, .float, .double, .decimal, .date, .objectID, .uuid: .scalar
    }
  }

  fileprivate func addLinks(to links: inout [ObjectName]) {
    switch self {
    case .link(let object): links.append(object)
    case .embedded(let embedded): for property in embedded.properties { property.value.addLinks(to: &links) }
    case .list(let list): for entry in list.entries { entry.value.addLinks(to: &links) }
    case .map(let map): for entry in map.entries { entry.value.addLinks(to: &links) }
    default: break
    }
  }
}
