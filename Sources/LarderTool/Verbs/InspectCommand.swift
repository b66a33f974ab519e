import ArgumentParser
import LarderExchange
import LarderInspection
import LarderStorage

struct InspectCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows one object with its embedded objects, lists and links.",
    discussion: """
      The object is named by its primary key, or by its object key (the number after #) with --key. Links are followed \
      --depth steps; beyond that they show the primary key of the object they point to. The objects that link to it follow, \
      property by property, after ←; as JSON, which has whole lists, with --incoming-links.

      EXAMPLE
        larder inspect world.larder City 2950159 --depth 2
        larder inspect world.larder Country DE --json
        larder inspect world.larder Country DE --format html > germany.html
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The object's class.", completion: .schemaName)
  var className: String

  @Argument(help: "The value of its primary key.")
  var primaryKey: String?

  @Option(help: "The object key, for classes without primary key.")
  var key: UInt64?

  @Option(parsing: .unconditional, help: "How many links away objects are shown.")
  var depth = 1

  @Option(parsing: .unconditional, help: "How many elements of a list are shown.")
  var listLimit = 20

  @OptionGroup var forms: FormFlags

  @Flag(help: "With --json: {\"object\", \"incomingLinks\"} instead of the object, with the objects that link to it.")
  var incomingLinks = false

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard (primaryKey == nil) != (key == nil) else {
      throw ValidationError("name the object by its primary key or by --key")
    }
    guard 0...100 ~= depth else { throw ValidationError("--depth must be between 0 and 100") }
    guard forms.form != .csv else {
      throw ValidationError("inspect prints two tables, which CSV cannot hold; 'larder query' writes objects as CSV")
    }
    guard forms.form == .json || !incomingLinks else {
      throw ValidationError("--incoming-links is for --json; all other forms have them anyway")
    }
    guard listLimit >= 0 else { throw ValidationError("--list-limit is not negative") }
  }

  func run() throws {
    let snapshot = try StoreAccess.open(reading: store).snapshot()
    let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    let found =
      try primaryKey.map { try StoreAccess.object(entry, primaryKey: $0, in: snapshot) } ?? objectKey(entry, snapshot)
    let isJSON = forms.form == .json
    let limit = isJSON ? Int.max : listLimit
    let object = try ObjectTree(snapshot, listLimit: limit).object(entry, found, depth: depth)
    guard !isJSON || incomingLinks else { return Terminal.write(JSONText.object(object) + "\n") }
    let links = try IncomingLinks(to: entry, found, in: snapshot, limit: limit)
    switch forms.form {
    case .table: Terminal.write(ObjectText.render(object) + links.text)
    case .json:
      let value: JSONValue = [
        "object": .init(written: JSONText.object(object)), "incomingLinks": .init(written: links.json),
      ]
      Terminal.write(value.line)
    case .vertical, .csv, .markdown, .html:
      Terminal.write(ObjectText.page(object, links, as: forms.form, fitting: Terminal.tableWidth))
    }
  }

  private func objectKey(_ entry: ClassDescriptor, _ snapshot: Snapshot) throws -> ObjectKey {
    let found = ObjectKey(rawValue: key ?? 0)
    guard try snapshot.contains(entry.id, found) else {
      throw StorageError(.noSuchObject, "There is no object #\(found.rawValue) of class '\(entry.name)'.")
    }
    return found
  }
}
