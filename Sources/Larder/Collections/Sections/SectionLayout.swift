/// The assignment of the elements of a sorted collection to sections (S-13, S-14).
///
/// Sections come in the order in which their keys appear first; an element keeps its place among those of its section.
struct SectionLayout<Key: Hashable> {
  /// In order, each once.
  private(set) var keys: [Key] = []
  /// By section: positions of its elements in the source, ascending.
  private(set) var rows: [[Int32]] = []
  /// By position in the source: the section.
  private(set) var sections: [Int32] = []
  private var numbers: [SectionKey: Int] = [:]

  /// - Parameter key: The key of the element at a position; called once for each, in order (S-16).
  init(count: Int, key: (Int) -> Key) where Key: _Persistable {
    sections.reserveCapacity(count)
    for position in 0..<count {
      let key = key(position)
      let number = section(of: key)
      rows[number].append(Int32(position))
      sections.append(Int32(number))
    }
  }

  private mutating func section(of key: Key) -> Int where Key: _Persistable {
    let identity = SectionKey(key)
    if let known = numbers[identity] { return known }
    numbers[identity] = keys.count
    keys.append(key)
    rows.append([])
    return keys.count - 1
  }

  /// Number of the section of a key; nil when there is none.
  func number(of key: SectionKey) -> Int? { numbers[key] }

  /// Section and row of an element.
  func place(of position: Int) -> (section: Int, row: Int) {
    let section = Int(sections[position])
    let rows = rows[section]
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < position { low = middle + 1 } else { high = middle }
    }
    return (section, low)
  }
}
