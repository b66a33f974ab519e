import TestSupport
import Testing

@testable import LarderStorage

@Suite struct TransactionSchemaTests {
  @Test("A record that is taken over is the schema from then on, and the catalog's place is taken again")
  func adopting() throws {
    let fixture = try LinkedLists()
    let base = try fixture.store.snapshot
    var schema = TransactionSchema(base)
    #expect(!schema.isDirty && schema.classes["Item"] != nil)
    schema.isCatalogPlaced = true
    let declarations =
      base.schema.classes.map { ClassDeclaration($0, in: base.schema) }
      + [ClassDeclaration(name: "More", columns: [ColumnDeclaration(name: "number", type: .int)])]
    let plan = try SchemaPlan(base.schemaRecord, declarations, schemaVersion: 1, version: base.version + 1)
    schema.adopt(plan.final)
    #expect(schema.isDirty && !schema.isCatalogPlaced)
    #expect(schema.classes["More"] != nil && schema.classes["Item"] != nil && schema.record.schemaVersion == 1)
  }
}
