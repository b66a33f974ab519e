import Foundation
import LarderLMDB
import TestSupport
import TestTraits
import Testing

@testable import LarderStorage

/// Repair of stores with very many classes, whose counters are in records of their own.
@Suite("Repair with very many classes", .timeLimit(.minutes(30))) struct StatePartsRepairTests {
  private static let classes = 300

  /// A store of which every tenth class has five objects, and its file.
  private func file(in directory: TemporaryDirectory) throws -> [UInt8] {
    let fixture = try TemporaryStore(clusterSize: 8)
    try fixture.write { writer in
      try writer.apply(
        (0..<Self.classes).map {
          ClassDeclaration(name: "Class\($0)", columns: [ColumnDeclaration(name: "number", type: .int)])
        }, schemaVersion: 0)
    }
    let schema = try fixture.snapshot.schema
    for number in stride(from: 0, to: Self.classes, by: 10) {
      let entry = try #require(schema["Class\(number)"])
      try fixture.write { writer in
        for value in 0..<5 {
          try writer.set(entry.id, entry.columns[0].id, try writer.create(entry.id), .int(Int64(number + value)))
        }
      }
    }
    #expect(try fixture.snapshot.state.isInParts)
    let path = directory.file("sound.larder")
    try fixture.snapshot.copy(to: path)
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func record(_ word: UInt64, of path: String) throws -> [UInt8] {
    let store = try Store.open(path: path)
    return try #require(try store.environment.beginRead().get(store.tables.catalog, KeyBytes(word))?.bytes)
  }

  @Test("F-64: with a part or the whole of the counters damaged, repair saves every object of every class")
  func damaged() throws {
    let directory = try TemporaryDirectory("parts")
    let sound = try file(in: directory)
    let store = directory.file("damaged.larder")
    let words = [StoreLayout.stateWord] + (0..<CatalogState.partCount(Self.classes + 1)).map(StoreLayout.statePartWord)
    for (number, word) in words.enumerated() {
      var bytes = sound
      let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
      // The record is after its key, in a leaf; copies of it may be in pages that are free.
      let entry = key + (try record(word, of: directory.file("sound.larder")))
      let places = bytes.indices.filter { bytes[$0...].starts(with: entry) }
      #expect(!places.isEmpty)
      for place in places { bytes[place + 8 + 24] ^= 0x55 }
      try Data(bytes).write(to: URL(filePath: store))
      let check = try WorkerProcess.run("larder", ["check", store])
      #expect(check.status != 0 && check.status < 128, "\(number): \(check.output)\(check.errors)")
      let saved = directory.file("saved\(number).larder")
      let repair = try WorkerProcess.run("larder", ["repair", store, "--into", saved])
      #expect(repair.status < 128, "\(number): \(repair.errors)")
      let snapshot = try Store.open(path: saved).snapshot()
      for number in 0..<Self.classes {
        let entry = try #require(snapshot.schema["Class\(number)"])
        #expect(try snapshot.count(of: entry.id) == (number % 10 == 0 ? 5 : 0), "\(word) \(number)")
      }
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test(
    "F-64: whatever page is damaged, check tells or all is there, and repair ends with a store that is sound or with an error"
  )
  func pages() throws {
    let directory = try TemporaryDirectory("pages")
    let sound = try file(in: directory)
    let store = directory.file("damaged.larder")
    for page in stride(from: 2, to: sound.count / 4_096, by: 3) {
      var bytes = sound
      for place in stride(from: page * 4_096 + 7, to: (page + 1) * 4_096, by: 97) { bytes[place] ^= 0x21 }
      try Data(bytes).write(to: URL(filePath: store))
      let saved = directory.file("saved\(page).larder")
      let repair = try WorkerProcess.run("larder", ["repair", store, "--into", saved])
      #expect(repair.status < 128, "\(page): \(repair.errors)")
      guard FileManager.default.fileExists(atPath: saved) else { continue }
      #expect(try StoreVerifier.verify(try Store.open(path: saved).snapshot()).isEmpty, "\(page)")
    }
  }
}
