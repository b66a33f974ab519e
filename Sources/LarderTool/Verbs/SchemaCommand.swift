import ArgumentParser
import LarderExchange
import LarderInspection

struct SchemaCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Writes the schema of a store as Swift classes, JSON, tables or a diagram.",
    discussion: """
      JSON is a schema file: changed, it is what 'larder migrate' takes.

      EXAMPLE
        larder schema world.larder > Models.swift
        larder schema world.larder --json > schema.json
        larder schema world.larder --mermaid
        larder schema world.larder --format html > schema.html
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Flag(help: "Write model classes in Swift (as without a flag).")
  var swift = false

  @Flag(help: "Write a class diagram for Mermaid.")
  var mermaid = false

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard [swift, mermaid, forms.form != .table].filter({ $0 }).count <= 1 else {
      throw ValidationError("choose one of --swift, --mermaid, --json and --format")
    }
  }

  func run() throws {
    let schema = SchemaRendering(try StoreAccess.open(reading: store).snapshot().schema)
    switch forms.form {
    case .table: Terminal.write(mermaid ? schema.mermaid() : schema.swift())
    case .json: Terminal.write(schema.json())
    case .vertical, .csv, .markdown, .html:
      Terminal.write(
        schema.page(
          "Schema of \(store)", as: forms.form, fitting: Terminal.tableWidth, lineEnd: forms.lineEnd))
    }
  }
}
