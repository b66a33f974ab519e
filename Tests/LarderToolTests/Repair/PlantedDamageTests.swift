import Foundation
import LarderExchange
import LarderInspection
import TestSupport
import Testing

@testable import LarderStorage

/// Each kind of damage is found and named, and what is not damaged is saved.
@Suite struct PlantedDamageTests {
  @Test func nothingIsFoundInTheSoundStore() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("sound.larder")
      try SoundStore.make(path)
      #expect(try StoreCheck(path: path, isDeep: true).problems == [])
      let contents = try SoundStore.contents(StoreAccess.open(reading: path).snapshot())
      #expect(contents.count == 23 + 13 + 16)
      let snapshot = try StoreAccess.open(reading: path).snapshot()
      let note = try #require(snapshot.schema["Note"])
      #expect(try snapshot.tail(of: note.id, cluster: 1)?.slots == 4..<6)
      // What is saved of it is all of it.
      let copy = directory.file("copy.larder")
      let report = try repair(path, into: copy)
      #expect(!report.losesAnything && report.problems.isEmpty, "\(report.text())")
      #expect(try SoundStore.contents(StoreAccess.open(reading: copy).snapshot()) == contents)
    }
  }

  @Test("The table has at least 30 kinds, each once") func enough() {
    #expect(PlantedDamage.all.count >= 80)
    #expect(Set(PlantedDamage.all.map(\.title)).count == PlantedDamage.all.count)
  }

  @Test("check finds it and says where; repair saves everything else", arguments: PlantedDamage.all)
  func found(_ damage: PlantedDamage) throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("store.larder")
      try SoundStore.make(path)
      let sound = try SoundStore.contents(StoreAccess.open(reading: path).snapshot())
      do {
        let planter = try DamagePlanter(path)
        try damage.plant(planter)
        try planter.commit()
      }
      let found = problems(path)
      #expect(
        found.contains { problem in damage.finds.allSatisfy { problem.contains($0) } },
        "no line with \(damage.finds) in \(found)")
      switch damage.outcome {
      case .refused:
        let error = #expect(throws: (any Error).self) { try repair(path, into: directory.file("copy.larder")) }
        #expect(error is StorageError || error is RepairError, "\(String(describing: error))")
      case .saved(let losses): try compare(path, directory.file("copy.larder"), sound, losses)
      }
    }
  }

  @Test("F-42: a list of more elements than the file has room for is damage in a write transaction, too")
  func boundOfLists() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("store.larder")
      try SoundStore.make(path)
      do {
        let planter = try DamagePlanter(path)
        try planter.chunk("Thing.numbers", 1) { bytes in
          // So many are possible on the third level: 20,000,000, all below the first of two children.
          let count = withUnsafeBytes(of: UInt64(20_000_000).littleEndian) { Array($0) }
          bytes = Array(bytes.prefix(48))
          (bytes[9], bytes[10], bytes[11]) = (3, 2, 0)
          bytes.replaceSubrange(16..<24, with: count)
          bytes.replaceSubrange(36..<40, with: count.prefix(4))
          bytes.replaceSubrange(44..<48, with: [0, 0, 0, 0])
        }
        try planter.commit()
      }
      func expectDamage(_ body: () throws -> Void) {
        let error = #expect(throws: StorageError.self) { try body() }
        #expect(
          error?.code == .corrupted && "\(error as Any)".contains("more elements than there can be"), "\(error as Any)")
      }
      let store = try StoreAccess.open(writing: path)
      let thing = try #require(try store.snapshot().schema["Thing"])
      let (column, key) = (try #require(thing.column(named: "numbers")).id, ObjectKey(rawValue: 1))
      expectDamage { _ = try store.snapshot().list(thing.id, column, key) }
      let writer = try store.beginWrite()
      defer { writer.cancel() }
      expectDamage { _ = try writer.list(thing.id, column, key) }
      expectDamage { try writer.lists.insert(thing.id, column, key, at: 0, [.int(1)]) }
      // Lists that the transaction makes have any number of elements.
      let many = (0..<30_000).map { StoredValue.int(Int64($0)) }
      try writer.lists.assign(thing.id, column, ObjectKey(rawValue: 2), many)
      #expect(try writer.list(thing.id, column, ObjectKey(rawValue: 2)).count == many.count)
    }
  }

  private func problems(_ path: String) -> [String] {
    do { return try StoreCheck(path: path, isDeep: true).problems } catch { return ["\(error)"] }
  }

  private func repair(_ path: String, into copy: String) throws -> RepairReport {
    try StoreRepair(RepairSource(path: path, target: copy), into: StoreAccess.open(writing: copy)).run()
  }

  private func compare(
    _ path: String, _ copy: String, _ sound: [String: [String: String]], _ losses: [String: Set<String>]
  ) throws {
    let report = try repair(path, into: copy)
    #expect(try StoreCheck(path: copy, isDeep: true).problems == [])
    let saved = try SoundStore.contents(StoreAccess.open(reading: copy).snapshot())
    let gone = losses.filter { $0.value.contains("*") }.keys
    var differs = false
    for (object, fields) in sound {
      guard let copied = saved[object] else {
        #expect(losses[object]?.contains("*") == true, "\(object) is not in the copy: \(report.text())")
        differs = true
        continue
      }
      for (property, text) in fields where copied[property] != text {
        differs = true
        let mayDiffer =
          losses[object].map { $0.contains(property) || $0.contains("*") } ?? false
          || gone.contains { text.contains("-> \($0).") }
        #expect(mayDiffer, "\(object).\(property) is \(copied[property] ?? "gone"), was \(text.prefix(200))")
      }
    }
    // Nothing goes unsaid.
    if differs { #expect(report.losesAnything || !report.problems.isEmpty, "\(report.text())") }
  }
}
