import ArgumentParser
import LarderExchange
import LarderInspection
import LarderStorage

/// A mapping said on the command line: for files that need little.
struct MappingFlags: ParsableArguments {
  @Option(help: ArgumentHelp("Property to be the primary key.", valueName: "property"))
  var primaryKey: String?

  @Option(name: .customLong("index"), help: ArgumentHelp("Property to index; may be repeated.", valueName: "property"))
  var indexed: [String] = []

  @Option(
    name: .customLong("null"), help: ArgumentHelp("Text that means no value; may be repeated.", valueName: "text"))
  var nullMarkers: [String] = []

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp("Type of a property, such as age=int?; may be repeated.", valueName: "property=type"))
  var types: [String] = []

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp("Another name for a field's property; may be repeated.", valueName: "field=property"))
  var renames: [String] = []

  @Option(
    name: .customLong("link"),
    help: ArgumentHelp(
      "Link a property to the object that has its value; may be repeated.", valueName: "property=Class.by"))
  var links: [String] = []

  @Option(
    name: .customLong("split"),
    help: ArgumentHelp("Cut a property's text into a list; may be repeated.", valueName: "property=separator"))
  var splits: [String] = []

  @Option(
    name: .customLong("embed"),
    help: ArgumentHelp(
      "Make an embedded object of several fields; may be repeated.", valueName: "property=Class:field,field"))
  var embeds: [String] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp("Import these fields alone, separated by commas.", valueName: "fields"))
  var only: String?

  /// The mapping with the flags laid over it.
  func apply(to mapping: ImportMapping) throws -> ImportMapping {
    var mapping = mapping
    mapping.primaryKey = primaryKey ?? mapping.primaryKey
    mapping.indexed.formUnion(indexed)
    mapping.forms.nullMarkers.formUnion(nullMarkers)
    mapping.only = only.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    for rename in renames {
      // A column of CSV may have no name.
      let (field, property) = try Self.pair(rename, "--rename", "field=property", allowsEmpty: true)
      mapping.refine(property) { $0.source = field }
    }
    for type in types {
      let (property, parsed) = try Self.type(type)
      mapping.refine(property) {
        $0.type = parsed.type
        $0.isOptional = parsed.isOptional
      }
    }
    for split in splits {
      let (property, separator) = try Self.pair(split, "--split", "property=separator")
      mapping.refine(property) {
        $0.isList = true
        $0.split = separator
      }
    }
    for link in links {
      let (property, target) = try Self.pair(link, "--link", "property=Class.by")
      let parts = target.split(separator: ".", maxSplits: 1).map(String.init)
      mapping.refine(property) {
        $0.link = LinkMapping(target: parts.first ?? target, by: parts.count > 1 ? parts[1] : nil)
      }
    }
    for embed in embeds {
      let (property, target) = try Self.pair(embed, "--embed", "property=Class:field,field")
      let (name, fields) = try Self.pair(target, "--embed", "property=Class:field,field", ":")
      let parts = fields.split(separator: ",").map { PropertyMapping(name: String($0)) }
      mapping.refine(property) { $0.embedded = EmbeddedMapping(className: name, properties: parts) }
    }
    return mapping
  }

  /// A property or column with the type that it is to have.
  static func type(_ text: String) throws -> (name: String, type: (type: ColumnType, isOptional: Bool)) {
    let (property, name) = try pair(text, "--type", "property=type")
    guard let parsed = TypeName.parse(name) else {
      throw ValidationError(
        "--type: there is no type '\(name)'; the types are \(TypeName.scalarNames.joined(separator: ", ")), each with ? for optional"
      )
    }
    return (property, parsed)
  }

  static func pair(
    _ text: String, _ flag: String, _ form: String, _ separator: Character = "=", allowsEmpty: Bool = false
  ) throws -> (String, String) {
    let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty, allowsEmpty || !parts[0].isEmpty else {
      throw ValidationError("\(flag) takes \(form), not '\(text)'")
    }
    return (parts[0], parts[1])
  }
}
