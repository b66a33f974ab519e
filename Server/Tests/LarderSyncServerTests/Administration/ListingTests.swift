import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct ListingTests {
  private let listing = Listing(
    columns: ["name", "n"], rows: [[.text("a \"b\""), .number(12)], [.null, .flag(true)]])

  @Test("a table has its columns one below the other")
  func table() {
    #expect(listing.table == "name   n\na \"b\"  12\n-      yes")
    #expect(Listing(columns: ["name", "n"]).table == "name  n")
  }

  @Test("JSON has an object for each row, with escapes")
  func json() {
    #expect(listing.json == "[\n  {\"name\": \"a \\\"b\\\"\", \"n\": 12},\n  {\"name\": null, \"n\": true}\n]")
    #expect(Listing(columns: ["n"]).json == "[]")
    #expect(Listing.Cell(UInt64.max) == .text("18446744073709551615"))
  }

  @Test(
    "a primary key is written and read as people write it",
    arguments: [
      (PrimaryKey.int(-3), SchemaType.int), (.string("a b"), .string),
      (.objectID(SyncObjectID(high: 0x0123_4567_89AB_CDEF, low: 7)), .objectID),
      (.uuid(SyncUUID(high: 1, low: .max)), .uuid),
    ] as [(PrimaryKey, SchemaType)])
  func keys(_ key: PrimaryKey, _ type: SchemaType) {
    #expect(PrimaryKey(plainText: key.plainText, type) == key)
  }

  @Test("text that is no key of the type is none")
  func noKeys() {
    #expect(PrimaryKey(plainText: "x", .int) == nil)
    #expect(PrimaryKey(plainText: "0123", .objectID) == nil)
    #expect(PrimaryKey(plainText: "+23456789abcdef012345678", .objectID) == nil)
    #expect(PrimaryKey(plainText: "00000000000000000000000000000001", .uuid) == nil)
    #expect(PrimaryKey(plainText: "1", .double) == nil)
  }
}
