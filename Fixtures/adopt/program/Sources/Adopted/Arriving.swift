import Arrival
import Foundation
import Larder

/// A program whose user has a `.realm` file: opened for the first time after it was moved, then again.
enum Arriving {
  private struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private static func check(_ isRight: Bool, _ what: String) throws {
    guard isRight else { throw Difference(description: what) }
  }

  static func run(with old: URL) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arriving-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = try Data(contentsOf: old)
    var configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("settings.larder"), schemaVersion: 7)
    configuration.importsRealmFile = RealmFileImport(fileURL: old)
    configuration.objectTypes = [Setting.self, Log.self]
    do {
      let settings = Settings(try Realm(configuration: configuration))
      try check(settings.names == ["font", "theme"], "the preferences are \(settings.names)")
      try check(settings.value(of: "theme") == "dark", "the theme is \(settings.value(of: "theme") ?? "nil")")
      try check(settings.value(of: "font") == nil, "the font is set")
      try check(settings.lines == ["migrated to 7"], "the log is \(settings.lines)")
      try settings.set("theme", to: "light")
      try settings.set("size", to: "12")
    }
    let settings = Settings(try Realm(configuration: configuration))
    try check(settings.value(of: "theme") == "light", "what was set is lost")
    try check(settings.names == ["font", "size", "theme"], "the preferences are \(settings.names) then")
    try check(try Data(contentsOf: old) == before, "the old file was changed")
  }
}
