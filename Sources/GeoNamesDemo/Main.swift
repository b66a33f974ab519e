import Foundation
import Larder

/// Imports the GeoNames fixtures, asks three questions, and watches a change that another process makes.
///
///     geonames-demo [--fixtures FOLDER] [--store FILE] [--help]
@main
struct Main {
  static func main() {
    do {
      switch try Arguments(CommandLine.arguments.dropFirst()) {
      case .help: Console.line(Arguments.usage)
      case .change(let path): try LiveUpdate.change(in: try open(path))
      case .demo(let fixtures, let store): try demo(fixtures: fixtures, store: store)
      }
    } catch {
      FileHandle.standardError.write(Data("geonames-demo: error: \(error)\n".utf8))
      exit((error as? DemoError)?.isUsage == true ? 2 : 1)
    }
  }

  private static func open(_ path: String) throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), schemaVersion: 1))
  }

  private static func demo(fixtures: String, store: String) throws {
    let url = URL(fileURLWithPath: store)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    for path in [store, store + "-lock"] where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }

    Console.title("Import")
    let begin = DispatchTime.now()
    let realm = try open(store)
    var work = Import(into: realm, from: Fixtures(folder: URL(fileURLWithPath: fixtures)))
    try work.run()
    Console.line(
      "  \(realm.objects(Continent.self).count) continents, \(realm.objects(Country.self).count) countries, "
        + "\(Console.grouped(realm.objects(City.self).count)) cities with \(Console.grouped(work.names)) alternate "
        + "names in \(Console.seconds(since: begin))")

    Console.title("Queries")
    let queries = Queries(realm: realm)
    queries.byName()
    queries.overLinks()
    queries.byAlternateName()

    Console.title("A live notification")
    try LiveUpdate.watch(realm, path: store)

    Console.title("The store")
    tell(url)
  }

  private static func tell(_ url: URL) {
    let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    let store = relative(url.path)
    Console.line("  \(store), \(Console.grouped(size / 1024)) KiB. Look into it, without the model classes:")
    let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
      "larder")
    for arguments in [
      "info \(store)", "classes \(store)", "inspect \(store) City \(LiveUpdate.cityID) --depth 2",
      "query \(store) City 'country.iso == \"JP\"' --sort population:desc --limit 10", "check \(store)",
    ] {
      Console.line("    \(relative(tool.path)) \(arguments)")
    }
  }

  /// A path as seen from the working directory, where it is below.
  private static func relative(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}
