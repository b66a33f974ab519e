import Foundation
import Testing

@testable import Larder

@Suite("The default folder") struct DefaultFolderTests {
  @Test("F-80: XDG_DATA_HOME where it is an absolute path, else the folder for data below the home folder")
  func place() {
    #expect(DefaultFolder.path(environment: ["XDG_DATA_HOME": "/x/data"], home: "/x/ada") == "/x/data/larder")
    for value in [nil, "", "data", "./data"] {
      let environment = value.map { ["XDG_DATA_HOME": $0] } ?? [:]
      #expect(DefaultFolder.path(environment: environment, home: "/x/ada") == "/x/ada/.local/share/larder")
    }
    #expect(
      Realm.Configuration().fileURL?.path == _defaultRealmPath()
        && _defaultRealmPath().hasSuffix("/larder/default.realm"))
  }

  @Test("F-80: the folder of the default Realm is made; no other folder is")
  func made() throws {
    let folder = try TemporaryFolder()
    let data = folder.url.appendingPathComponent("a/b/larder").path
    try DefaultFolder.prepare(for: data + "/other/a.realm", folder: data)
    #expect(!FileManager.default.fileExists(atPath: data))
    try DefaultFolder.prepare(for: data + "/default.realm", folder: data)
    var isFolder = false as ObjCBool
    #expect(FileManager.default.fileExists(atPath: data, isDirectory: &isFolder) && isFolder.boolValue)
    try DefaultFolder.prepare(for: data + "/default.realm", folder: data)
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    let error = #expect(throws: Realm.Error.self) {
      try DefaultFolder.prepare(for: file.path + "/larder/default.realm", folder: file.path + "/larder")
    }
    #expect(error?.message.contains("XDG_DATA_HOME") == true)
  }

  @Test("F-80: Realm() opens in a new folder below XDG_DATA_HOME, and below the home folder without it")
  func opened() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-" + UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      setenv("XDG_DATA_HOME", folder.path + "/data", 1)
      var configuration = Realm.Configuration(objectTypes: [Person.self, Dog.self, Address.self, Room.self])
      configuration.fileURL = URL(fileURLWithPath: _defaultRealmPath())
      Realm.Configuration.defaultConfiguration = configuration
      try autoreleasepool { try Realm().write { try Realm().add(Person(id: 1)) } }
      precondition(FileManager.default.fileExists(atPath: folder.path + "/data/larder/default.realm"))
    }
  }
}
