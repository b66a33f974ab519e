/// The request of the command line.
enum Arguments {
  /// Prints how the demo is used.
  case help
  /// The second process: changes a city of a store.
  case change(store: String)
  case demo(fixtures: String, store: String)

  static let usage = """
    USAGE: geonames-demo [--fixtures FOLDER] [--store FILE]

    Imports 34,006 cities into a store, queries it, and watches a change that a second process makes.

    OPTIONS
      --fixtures FOLDER   where the data are (default: Fixtures/geonames)
      --store FILE        the store to make; a file of that name is deleted first
                          (default: .build/demo/geonames.larder)
      -h, --help          prints this, and does nothing else
    """

  /// - Throws: `DemoError` for what is no option, and for one without its value.
  init(_ arguments: some Sequence<String>) throws {
    var (fixtures, store) = ("Fixtures/geonames", ".build/demo/geonames.larder")
    var changed: String?
    var rest = Array(arguments)[...]
    if rest.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help
      return
    }
    while let flag = rest.popFirst() {
      guard ["--fixtures", "--store", "--change"].contains(flag) else {
        throw DemoError(description: "there is no option '\(flag)'; nothing was done\n\(Self.usage)", isUsage: true)
      }
      guard let value = rest.popFirst(), !value.hasPrefix("--") else {
        throw DemoError(description: "'\(flag)' needs a value; nothing was done\n\(Self.usage)", isUsage: true)
      }
      switch flag {
      case "--fixtures": fixtures = value
      case "--store": store = value
      default: changed = value
      }
    }
    self = changed.map { .change(store: $0) } ?? .demo(fixtures: fixtures, store: store)
  }
}
