// What servers look at in operations that come: devices make none that are above a limit.
extension SyncOperation {
  /// Throws when the object's key or a value is above a limit. An object whose key is too long can still be deleted. It costs time in the size of
  /// the operation.
  public func checkLimits() throws(SyncLimitExceeded) {
    if case .delete = edit { return }
    try object.key.checkLimits()
    try edit.checkLimits()
  }
}

extension PrimaryKey {
  /// Throws when the key is above a limit.
  public func checkLimits() throws(SyncLimitExceeded) {
    if case .string(let text) = self { try SyncLimit.primaryKey.check(text.string.utf8.count) }
  }
}

extension SyncEdit {
  fileprivate func checkLimits() throws(SyncLimitExceeded) {
    switch self {
    case .create(let properties): for property in properties { try property.value.checkLimits(within: 0) }
    case .set(let path, let value): try value.checkLimits(within: path.steps.count)
    case .setInsert(let path, let value): try value.checkLimits(within: path.slot.steps.count + 1)
    case .mapPut(let path, let key, let value):
      try SyncLimit.mapKey.check(key.string.utf8.count)
      try value.checkLimits(within: path.slot.steps.count + 1)
    case .listInsert(let path, let values, _, _, _):
      for value in values { try value.checkLimits(within: path.slot.steps.count + 1) }
    case .add(let path, _): try SyncLimit.depth.check(path.steps.count)
    case .delete, .setRemove, .setClear, .mapRemove, .mapClear, .listMove, .listRemove:
      try SyncLimit.depth.check((collection?.slot.steps.count ?? 0) + 1)
    }
  }
}

extension SyncValue {
  /// Throws when the value, or one in it, is above a limit.
  ///
  /// - Parameter depth: How many containers it is in.
  fileprivate func checkLimits(within depth: Int) throws(SyncLimitExceeded) {
    switch self {
    case .string(let text): try SyncLimit.value.check(text.string.utf8.count)
    case .data(let bytes): try SyncLimit.value.check(bytes.count)
    case .link(let object): try object.key.checkLimits()
    case .embedded(let embedded):
      for property in embedded.properties { try property.value.checkLimits(within: depth + 1) }
    case .list(let list): for entry in list.entries { try entry.value.checkLimits(within: depth + 1) }
    case .set(let set): for value in set.values { try value.checkLimits(within: depth + 1) }
    case .map(let map):
      for entry in map.entries {
        try SyncLimit.mapKey.check(entry.key.string.utf8.count)
        try entry.value.checkLimits(within: depth + 1)
      }
    case .null, .bool, .int, .float, .double, .decimal, .date, .objectID, .uuid: break
    }
    try SyncLimit.depth.check(isContainer ? depth + 1 : depth)
  }
}
