/// Checks lists and dictionaries within mixed values.
struct NestedCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Collections within a mixed value have numbers of their own, of this version or before.
  func checkNested(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.type == .mixed && column.collection == .none {
      try forEachObject(entry) { key in
        guard !problems.isFull else { return }
        var ids: Set<UInt64> = []
        let value = try snapshot.value(entry.id, column.id, key)
        guard
          let problem = problem(value, &ids)
            ?? (value.isPossible ? nil : "a date within the value has a second or more of nanoseconds")
        else { return }
        report(.leaf, "\(entry.name).\(column.name), object \(key.rawValue)", problem)
      }
    }
  }

  private func problem(_ value: StoredValue, _ ids: inout Set<UInt64>) -> String? {
    func check(_ id: UInt64) -> String? {
      guard ids.insert(id).inserted else { return "two collections within the value have one number" }
      return id >> 28 > snapshot.version ? "a collection within the value is of a later version" : nil
    }
    switch value {
    case .list(let list):
      if let found = check(list.id) { return found }
      for element in list { if let found = problem(element, &ids) { return found } }
      return nil
    case .dictionary(let entries):
      if let found = check(entries.id) { return found }
      for entry in entries { if let found = problem(entry.value, &ids) { return found } }
      return nil
    default: return nil
    }
  }
}
