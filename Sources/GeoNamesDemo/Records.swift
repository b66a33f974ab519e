import Foundation

/// A line of `continents.jsonl`.
struct ContinentRecord: Decodable {
  var continentCode: String
  var name: String
}

/// A line of `countries.jsonl`.
struct CountryRecord: Decodable {
  var iso: String
  var name: String
  var capital: String
  var population: Int
  var continentcode: String
  /// ISO codes with commas between them.
  var neighbours: String
}

/// A line of `cities15000.jsonl.gz`.
struct CityRecord: Decodable {
  var geonameid: Int
  var name: String
  var latitude: Double
  var longitude: Double
  var countrycode: String
  var population: Int
  var timezone: String
  var alternatenames: [String]
}

/// The reason that the demo cannot go on.
struct DemoError: Error, CustomStringConvertible {
  var description: String
  /// True if the command line is wrong.
  var isUsage = false
}

/// Reads the fixtures: JSON Lines, packed or not.
struct Fixtures {
  let folder: URL

  /// Decodes each line of a file and hands it on.
  func forEach<Record: Decodable>(_ name: String, _ type: Record.Type, _ body: (Record) throws -> Void) throws {
    let data = try name.hasSuffix(".gz") ? unpacked(name) : Data(contentsOf: folder.appendingPathComponent(name))
    let decoder = JSONDecoder()
    for line in data.split(separator: UInt8(ascii: "\n")) { try body(try decoder.decode(Record.self, from: line)) }
  }

  private func unpacked(_ name: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", folder.appendingPathComponent(name).path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw DemoError(description: "gzip could not unpack \(name)") }
    return data
  }
}
