/// A small file with what the samples have not, for damage.
enum BuiltFile {
  static func bytes(format: Int) -> [UInt8] {
    var writer = NodeWriter()
    func composite(_ type: Int64, _ payload: Int64, _ value: Int64) -> Int64 { type + 1 | payload << 5 | value << 8 }
    func mixed(_ values: [Int64], pairs: [Int64] = [], references: [Int] = []) -> Int {
      let parts: [NodeWriter.Slot] = [
        .reference(writer.integers(values)), .empty, pairs.isEmpty ? .empty : .reference(writer.integers(pairs)),
        .reference(writer.texts(["text", "x"])),
      ]
      let nested = references.map { NodeWriter.Slot.reference($0) }
      return writer.slots(parts + (format < 24 ? [] : [.reference(writer.slots(nested)), .empty]))
    }
    func list() -> Int {
      let leaves = [writer.integers([1, 2, 3]), writer.integers([4, 5])].map { NodeWriter.Slot.reference($0) }
      return writer.slots([.number(3)] + leaves + [.number(5)], isInner: true)
    }
    func dictionary() -> Int {
      let values = mixed([composite(0, 0, 7), composite(16, 2, 0)], pairs: [1, 1])
      if format < 23 { return writer.cluster(keys: [3, 900], [writer.texts(["b", "a"]), values]) }
      return writer.slots([.reference(writer.texts(["a", "b"])), .reference(values)])
    }
    let enumeration = writer.texts(["red", "green"])
    let columns: [NodeWriter.Column] = [
      .init(name: "color", type: 2, enumeration: enumeration), .init(name: "list", type: 0, attributes: 32),
      .init(name: "map", type: 6, attributes: 64 | 16, keyType: 2), .init(name: "any", type: 6, attributes: 16),
      .init(name: "link", type: 12, attributes: 16, target: 1),
    ]
    func cluster(_ keys: [Int64]) -> Int {
      let any = keys.map { $0 == 0 ? composite(2, 3, 1) : format < 24 ? 0 : composite(19, 4, $0 - 1) }
      let nested = format < 24 ? [] : [mixed([composite(0, 0, 1)]), mixed([0, composite(1, 0, 1)])]
      return writer.cluster(
        keys: keys,
        [
          writer.integers(keys.map { $0 & 1 }), writer.slots(keys.map { _ in .reference(list()) }),
          writer.slots(keys.map { _ in .reference(dictionary()) }), mixed(any, references: nested),
          writer.integers(keys.map { $0 }),
        ])
    }
    let inner = [cluster([0, 1]), cluster([0])].map { NodeWriter.Slot.reference($0) }
    let lower = writer.slots([.reference(writer.integers([0, 2])), .number(1), .number(3)] + inner, isInner: true)
    let root = writer.slots([.empty, .number(2), .number(3), .reference(lower)], isInner: true)
    return writer.file([("Built", writer.table(key: 1, columns, root: root))], format: format)
  }
}
