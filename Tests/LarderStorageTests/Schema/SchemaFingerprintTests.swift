import Testing

@testable import LarderStorage

@Suite("Schema fingerprint and feature bits")
struct SchemaFingerprintTests {
  private let name = ColumnDescriptor(id: column(1), name: "name", type: .string)
  private let age = ColumnDescriptor(id: column(2), name: "age", type: .int)

  private func fingerprint(_ columns: [ColumnDescriptor], embedded: Bool = false) -> UInt64 {
    StoreSchema(
      classes: [ClassDescriptor(id: .people, name: "Person", isEmbedded: embedded, columns: columns)],
      schemaVersion: 1
    ).fingerprint
  }

  @Test("L-27 source order and indexes do not count, meaning does")
  func fingerprints() {
    let base = fingerprint([name, age])
    #expect(base == fingerprint([age, name]))
    var indexed = age
    indexed.isIndexed = true
    #expect(base == fingerprint([name, indexed]))
    var changes: [ColumnDescriptor] = []
    for change in 0..<7 {
      var column = age
      switch change {
      case 0: column.id = LarderStorageTests.column(3)
      case 1: column.name = "years"
      case 2: column.type = .double
      case 3: column.isOptional = true
      case 4: column.collection = .list
      case 5: column.target = .places
      default: column.isPrimaryKey = true
      }
      changes.append(column)
    }
    let others =
      changes.map { fingerprint([name, $0]) } + [fingerprint([name, age], embedded: true), fingerprint([name])]
    #expect(Set(others + [base]).count == others.count + 1)
  }

  @Test("L-27 the fingerprint never changes between builds")
  func stable() {
    #expect(fingerprint([name, age]) == 9_579_388_467_381_372_564)
  }

  @Test("L-24 what unknown feature bits and sync tables allow")
  func features() {
    #expect(FeatureBits().access() == .readWrite)
    #expect(FeatureBits(compatible: .max).access() == .readWrite)
    #expect(FeatureBits(readOnlyCompatible: 8).access() == .readOnly)
    #expect(FeatureBits(readOnlyCompatible: 4, incompatible: 1 << 40).access() == .none)
    #expect(FeatureBits().access(unknownTables: ["sync.queue"]) == .readOnly)
    #expect(FeatureBits().access(unknownTables: ["other"]) == .readWrite)
    #expect(
      FeatureBits(compatible: FeatureBits.unknownWritersAllowed).access(unknownTables: ["sync.queue"]) == .readWrite)
  }
}
