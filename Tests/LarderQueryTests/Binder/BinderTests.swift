import LarderStorage
import Testing

@testable import LarderQuery

@Suite struct BinderTests {
  private let person = ClassID(rawValue: 1)
  private let schema = StoreSchema(
    classes: [
      ClassDescriptor(
        id: ClassID(rawValue: 1), name: "Person",
        columns: [
          ColumnDescriptor(id: ColumnID(rawValue: 1), name: "first_name", type: .string),
          ColumnDescriptor(id: ColumnID(rawValue: 2), name: "old", type: .int),
          ColumnDescriptor(id: ColumnID(rawValue: 3), name: "tag", type: .string, isOptional: true),
        ])
    ], schemaVersion: 1)

  @Test("Q-4, Q-5: names are those that the program declares; others are unknown, though the file has them")
  func names() throws {
    let declared = ["firstName": "first_name", "tag": "tag"]
    let naming = PropertyNaming(storedName: { declared[$1] }, names: { _ in ["firstName", "tag"] })
    let bound = try Binder.bind("firstName == 'A'", to: person, in: schema, naming: naming)
    #expect(bound == .value(ColumnID(rawValue: 1), ValueTest(.string, .equal, [.string("A")])))
    for name in ["first_name", "old"] {
      let error = #expect(throws: PredicateError.self) {
        try Binder.bind("\(name) == nil", to: person, in: schema, naming: naming)
      }
      #expect(error?.code == .unknownProperty && error?.expected == "firstName, tag")
    }
  }

  @Test("Q-43: a long IN looks its values up, and finds what comparing with each finds")
  func longSets() throws {
    let texts = (0..<200).map { "Name \($0)" }
    let arguments = PredicateArgument.list(texts.map { .value(.string($0)) } + [.null])
    for options in ["", "[c]", "[cd]"] {
      guard
        case .value(_, let test) = try Binder.bind("tag IN\(options) %@", [arguments], to: person, in: schema)
      else { throw PredicateError(.syntax, "no test") }
      #expect(test.isLookup)
      for value in ["Name 7", "name 7", "NÀME 7", "Name 200", ""] {
        let single = texts.contains {
          ValueTest.compare(.string(value), .equal, test.options, .string($0))
        }
        #expect(test.matches(.string(value)) == single, "\(options) \(value)")
      }
      #expect(test.matches(.null))
    }
  }
}
