import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Links to rows that are not there: a later version may leave objects out of a store and keep the links to them.
@Suite struct GhostLinkTests {
  @Test("L-8 a link to a missing row reads as nil, keeps its backlink, and heals when the row comes back")
  func ghostsReadAsNilAndHeal() throws {
    let fixture = try StoreFixture()
    let schema = try fixture.store.snapshot().schema
    let city = try #require(schema["City"])
    let country = try #require(schema["Country"])
    let link = try #require(city.column(named: "country")).id
    let (target, town) = try fixture.write { writer in
      let target = try writer.create(country.id, primaryKey: .string("AA"))
      let town = try writer.create(city.id, primaryKey: .int(1))
      try writer.set(city.id, link, town, .link(target))
      return (target, town)
    }
    // The row goes physically, without the clean-up of a deletion.
    try fixture.write { try setPresence(false, of: target, country.id, code: "AA", $0) }
    var snapshot = try fixture.store.snapshot()
    #expect(try snapshot.value(city.id, link, town) == .null)
    #expect(try snapshot.backlinks(to: ObjectLink(classID: country.id, key: target), from: city.id, link) == [town])
    #expect(try snapshot.object(country.id, primaryKey: .string("AA")) == nil)
    // This store does not say that it may have such links.
    #expect(try StoreVerifier.verify(snapshot).map(\.structure) == [.backlink])
    try fixture.write { writer in
      #expect(try writer.value(city.id, link, town) == .null)
      try setPresence(true, of: target, country.id, code: "AA", writer)
    }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.value(city.id, link, town) == .link(target))
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  private func setPresence(
    _ isPresent: Bool, of key: ObjectKey, _ classID: ClassID, code: String, _ writer: StoreWriter
  ) throws {
    let owner = try writer.classWriter(classID)
    let (number, slot) = writer.locate(key)
    let cluster = try writer.cluster(owner, number)
    cluster.presenceWillChange(slot)
    if isPresent { cluster.presence.set(slot) } else { cluster.presence.clear(slot) }
    if isPresent {
      owner.primaryKeys.insert(.string(code), key)
      // The leaf forgot the value with the row.
      let column = try #require(owner.shape.keyColumn)
      let decoded = try writer.column(owner, column.id, cluster)
      cluster.willChange(decoded, slot)
      decoded.buffer.setString(slot, code)
      owner.count += 1
    } else {
      owner.primaryKeys.remove(.string(code), key)
      owner.count -= 1
    }
    owner.isDirty = true
  }
}
