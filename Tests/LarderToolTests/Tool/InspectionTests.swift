import Foundation
import Larder
import TestSupport
import Testing

/// `info` and `du` print what programs in Swift get.
@Suite struct InspectionTests {
  private func json(_ arguments: [String]) throws -> [String: Any] {
    let output = try WorkerProcess.run("larder", arguments + ["--json"]).output
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  @Test("info and du print the numbers of StoreInspection")
  func numbers() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let found = try StoreInspection(fileURL: URL(fileURLWithPath: store))
      let info = try json(["info", store])
      #expect(info["fileBytes"] as? Int == found.fileSize && info["freePages"] as? Int == found.freePages)
      #expect(info["pages"] as? Int == found.fileSize / found.pageSize && info["version"] as? Int == Int(found.version))
      #expect(info["storeID"] as? String == found.storeID)
      #expect((info["log"] as? [String: Int])?["records"] == found.logRecords)
      let classes = try #require(info["classes"] as? [[String: Any]])
      #expect(classes.compactMap { $0["objects"] as? Int } == found.classes.map(\.objectCount))
      let parts = try #require(try json(["du", store])["parts"] as? [[String: Any]])
      for entry in found.classes {
        let shown = try #require(classes.first { $0["name"] as? String == entry.name })
        let properties = try #require(shown["properties"] as? [String: [String: Int]])
        for property in entry.properties {
          let space = property.space
          #expect(
            properties[property.name] == [
              "values": space.values, "large": space.largeValues, "lists": space.elements, "index": space.indexes,
              "backlinks": space.backlinks,
            ])
        }
        #expect(parts.first { $0["name"] as? String == entry.name }?["bytes"] as? Int == entry.space.total)
      }
    }
  }
}
