import LarderStorage

/// Changes of a list in the store; the owner, the transaction and the positions were checked before.
extension CollectionLocation {
  /// Inserts elements in one go; embedded objects move in one by one.
  func insert<Element: RealmCollectionValue>(_ elements: [Element], at position: Int) throws {
    if elements.isEmpty { return }
    guard property.isEmbedded else {
      let values = try stored(elements)
      if try editNested({ .insert(values, at: position) }) { return }
      let place = try place(of: position)
      return try write { try $0.lists.insert($1, $2, $3, at: place, values) }
    }
    let place = try place(of: position)
    for (offset, element) in elements.enumerated() {
      guard let (object, target) = try newEmbedded(element) else { continue }
      let key = try write { try $0.insertEmbedded(in: $1, $2, $3, at: place + offset) }
      host.maker(host.adding.policy).adopt(object, target, key)
    }
  }

  func remove(_ range: Range<Int>) throws {
    if range.isEmpty { return }
    if try editNested({ .remove(range) }) { return }
    for range in try places(of: range) { try write { try $0.lists.remove($1, $2, $3, range) } }
  }

  /// Replaces one element; an embedded one is deleted.
  func replace<Element: RealmCollectionValue>(at position: Int, _ element: Element) throws {
    if property.isEmbedded {
      _ = try newEmbedded(element)
      try remove(position..<position + 1)
      return try insert([element], at: position)
    }
    let values = try stored(CollectionOfOne(element))
    if try editNested({ .set(values[0], at: position) }) { return }
    let place = try place(of: position)
    try write { try $0.lists.set($1, $2, $3, at: place, values[0]) }
  }

  func move(from source: Int, to position: Int) throws {
    if try editNested({ .move(from: source, to: position) }) { return }
    let (from, to) = (try place(of: source), try place(of: position))
    try write { try $0.lists.move($1, $2, $3, from: from, to: to) }
  }

  func clearList() throws {
    if try !editNested({ .clear }) { try write { try $0.lists.clear($1, $2, $3) } }
  }

  /// Replaces all elements in one go.
  func assign<Element: RealmCollectionValue>(_ elements: [Element]) throws {
    if property.isEmbedded {
      for element in elements { _ = try newEmbedded(element) }
      try clearList()
      return try insert(elements, at: 0)
    }
    let values = try stored(elements)
    if try editNested({ .assign(.list(StoredList(values))) }) { return }
    try write { try $0.lists.assign($1, $2, $3, values) }
  }
}
