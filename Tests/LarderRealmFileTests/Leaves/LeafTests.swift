import Testing

@testable import LarderRealmFile

@Suite struct LeafTests {
  /// The values of a property of one class whose only column is given.
  private func values(
    type: Int, attributes: Int = 16, count: Int, format: Int = 24, _ leaf: (inout NodeWriter) -> Int
  ) throws -> [RealmFileValue] {
    var writer = NodeWriter()
    let root = writer.cluster(count: count, [leaf(&writer)])
    let table = writer.table(key: 1, [.init(name: "p", type: type, attributes: attributes)], root: root)
    return try OpenedFile(writer.file([("A", table)], format: format)).values("A", "p")
  }

  @Test func textsMayBeNumbersOfTheFilesList() throws {
    var writer = NodeWriter()
    let list = writer.texts(["red", nil, "green"])
    let root = writer.cluster(count: 4, [writer.integers([2, 0, 1, 2])])
    let column = NodeWriter.Column(name: "p", type: 2, attributes: 16, enumeration: list)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    #expect(try opened.values("A", "p") == [.string("green"), .string("red"), .null, .string("green")])

    let beyond = writer.cluster(count: 1, [writer.integers([3])])
    let damaged = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: beyond))]))
    #expect(failure { _ = try damaged.values("A", "p") }?.message.contains("text 3 of a list of 3") == true)
  }

  @Test func decimalsBeforeFormat24HaveSixteenBytesOrNone() throws {
    #expect(
      try values(type: 11, count: 2, format: 20) { $0.node([], count: 2, layout: 1, width: 0) } == [.null, .null])
    let number = [UInt8](repeating: 0, count: 7).reduce(into: [5]) { $0.append($1) } + [0, 0, 0, 0, 0, 0, 0x3E, 0x30]
    let null = [UInt8](arrayLiteral: 0xAA) + [UInt8](repeating: 0, count: 14) + [0x7C]
    let found = try values(type: 11, count: 2, format: 22) { $0.blocks([number, null]) }
    #expect(found == [.decimal(RealmFileDecimal(high: 0x303E << 48, low: 5)), .null])
    #expect(found.first.map { if case .decimal(let number) = $0 { "\(number)" } else { "" } } == "5E-1")
  }

  @Test func valuesThatMustBeThereAreNotNull() throws {
    #expect(failure { _ = try values(type: 1, attributes: 0, count: 1) { $0.integers([3]) } }?.kind == .damaged)
    #expect(
      failure { _ = try values(type: 11, attributes: 0, count: 1) { $0.node([], count: 1, layout: 1, width: 0) } }?.kind
        == .damaged)
  }

  @Test func textsThatAreNoTextsAreDamage() throws {
    let cases: [(inout NodeWriter) -> Int] = [
      // Not UTF-8.
      { $0.blocks([[0xC3, 0x28, 0, 1]]) },
      // More padding than there is.
      { $0.blocks([[0x61, 0, 0, 9]]) },
      // No zero byte at the end.
      { writer in
        writer.slots([
          .reference(writer.integers([2])), .reference(writer.blob([0x61, 0x62])), .reference(writer.integers([0])),
        ])
      },
      // After the end of what there is.
      { writer in
        writer.slots([
          .reference(writer.integers([9])), .reference(writer.blob([0x61, 0])), .reference(writer.integers([0])),
        ])
      },
      // A reference to what is no array of bytes.
      { writer in writer.slots([.reference(writer.integers([1]))], isMarked: true) },
      // A reference that leads nowhere.
      { writer in writer.slots([.reference(1 << 40)], isMarked: true) },
    ]
    for (index, leaf) in cases.enumerated() {
      #expect(failure { _ = try values(type: 2, count: 1, leaf) }?.kind == .damaged, "case \(index)")
    }
  }

  @Test func aLargeTextThatIsReferredToRepeatedlyIsDamage() throws {
    let error = failure {
      _ = try values(type: 2, count: 200) { writer in
        let blob = writer.blob([UInt8](repeating: 0x61, count: 1 << 20) + [0])
        return writer.slots([NodeWriter.Slot](repeating: .reference(blob), count: 200), isMarked: true)
      }
    }
    #expect(error?.message.contains("repeatedly") == true, "\(error?.message ?? "was read")")
  }

  @Test func compressedArraysAreOfAFormatThatThereIsNot() throws {
    let error = failure {
      _ = try values(type: 0, attributes: 0, count: 1) { $0.node([1], count: 1, layout: 3, width: 8) }
    }
    #expect(error?.kind == .unsupportedFormat && error?.message.contains("format 25") == true)
  }

  @Test(arguments: [0, 6, 9, 25, 200]) func otherFormatsAreRefused(format: Int) {
    let error = failure { _ = try values(type: 0, attributes: 0, count: 1, format: format) { $0.integers([1]) } }
    #expect(error?.kind == .unsupportedFormat && error?.message.contains("format \(format)") == true)
  }

  @Test(arguments: 10...24) func theseFormatsAreRead(format: Int) throws {
    #expect(
      try values(type: 0, attributes: 0, count: 2, format: format) { $0.integers([1, -300]) } == [.int(1), .int(-300)])
  }
}
