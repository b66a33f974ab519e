extension Container {
  /// Keeps what is seen: void values, removed keys, removed elements and places without an element go.
  mutating func trim(above floor: Stamp) {
    let limit = limit(floor)
    switch kind {
    case .set: members.removeAll { !$0.isPresent || $0.stamp <= limit }
    case .list:
      list.reroot(above: floor)
      for index in list.elements.indices { list.elements[index].slot.trim(above: floor) }
    case .object, .map:
      for index in entries.indices { entries[index].slot.trim(above: kind == .map ? limit : floor) }
      entries.removeAll { $0.slot.isVacant }
    }
  }
}

extension MergeSlot {
  var isVacant: Bool { explicit == nil && lower.isEmpty && adds.isEmpty && fixed.isEmpty }

  mutating func trim(above floor: Stamp) {
    trimExplicit(above: floor)
    lower.removeAll { $0.written.stamp <= floor }
    foldAdds(above: floor)
    if !fixed.isEmpty {
      fixed[0].trim(above: floor)
      if fixed[0].isEmpty(above: floor), fixed[0].cleared == .zero { fixed = [] }
    }
    if explicit?.contents.isEmpty == false { explicit!.contents[0].trim(above: floor) }
  }
}
