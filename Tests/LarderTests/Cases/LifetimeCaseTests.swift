import Foundation
import Larder
import Testing

class CaseSong: Object { @Persisted var title: String }

class CaseAlbum: Object {
  @Persisted var title: String
  @Persisted var songs: List<CaseSong>
}

class CaseArtist: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var albums: List<CaseAlbum>
  @Persisted var mixed: AnyRealmValue
  @Persisted var note: String?
  @Persisted var date: Date?
  @Persisted var links: Map<String, CaseAlbum?>
}

/// Observers of objects that go away, nested values, handing over, and updates that lose nothing, from public reports of object databases.
/// The answers were written down before the first run.
@Suite("Reported cases: what goes away, and what stays") @MainActor final class LifetimeCaseTests {
  private let realm: Realm
  private var log: [String] = []
  private var tokens: [NotificationToken] = []

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseSong.self, CaseAlbum.self, CaseArtist.self]))
  }

  private func note<C: Collection>(_ name: String, _ change: RealmCollectionChange<C>) {
    if case .update(let collection, let deletions, let insertions, let modifications) = change {
      log.append("\(name) \(collection.count): -\(deletions) +\(insertions) ~\(modifications)")
    }
  }

  private func observe(_ token: NotificationToken...) {
    tokens = token
    realm.refresh()
  }

  private func told(_ body: () throws -> Void) throws -> [String] {
    log = []
    try realm.write(body)
    realm.refresh()
    return log.sorted()
  }

  private func makeArtist(_ id: Int, albums: Int, songs: Int) throws -> CaseArtist {
    let artist = CaseArtist()
    artist.id = id
    for number in 0..<albums {
      let album = CaseAlbum(value: ["title": "b\(number)"])
      for song in 0..<songs { album.songs.append(CaseSong(value: ["title": "s\(song)"])) }
      artist.albums.append(album)
    }
    try realm.write { realm.add(artist) }
    return artist
  }

  /// Runs a block on another thread, to its end.
  private func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
      body()
      done.signal()
    }.start()
    done.wait()
  }

  @Test("an artist is told of when an album of the list goes, and shows it no more")
  func linkedDeletion() throws {
    let artist = try makeArtist(1, albums: 2, songs: 3)
    observe(
      realm.objects(CaseArtist.self).observe { change in
        self.note("artists", change)
        self.log.append("shows \(artist.albums.count)")
      }, artist.albums.observe { self.note("albums", $0) })
    #expect(
      try told { realm.delete(artist.albums[1].songs) } == [
        "albums 2: -[] +[] ~[1]", "artists 1: -[] +[] ~[0]", "shows 2",
      ])
    #expect(
      try told { realm.delete(artist.albums[1]) } == [
        "albums 1: -[1] +[] ~[]", "artists 1: -[] +[] ~[0]", "shows 1",
      ])
  }

  @Test("an observer that began with nothing is told of no deletion, and one with a condition of each round")
  func rounds() throws {
    let artist = try makeArtist(1, albums: 0, songs: 0)
    observe(realm.objects(CaseAlbum.self).observe { self.note("albums", $0) })
    #expect(try told { artist.name = "x" } == [])
    observe(
      realm.objects(CaseAlbum.self).filter("title BEGINSWITH 'k' AND songs.@count > 0").observe {
        self.note("chosen", $0)
      })
    for _ in 0..<2 {
      #expect(
        try told {
          for number in 0..<3 {
            let album = CaseAlbum(value: ["title": "k\(number)"])
            album.songs.append(CaseSong())
            realm.add(album)
          }
        } == ["chosen 3: -[] +[0, 1, 2] ~[]"])
      #expect(try told { realm.delete(realm.objects(CaseAlbum.self)) } == ["chosen 0: -[0, 1, 2] +[] ~[]"])
    }
  }

  @Test("the owner of an observed list goes: one call with everything, and none later")
  func ownerGoes() throws {
    let artist = try makeArtist(1, albums: 3, songs: 0)
    let albums = artist.albums
    observe(
      albums.observe { change in
        if case .update(let albums, let deletions, _, _) = change {
          self.log.append("\(albums.isInvalidated) -\(deletions)")
        }
      },
      artist.observe { (change: ObjectChange<CaseArtist>) in
        if case .deleted = change { self.log.append("deleted") }
      })
    #expect(try told { realm.delete(artist) } == ["deleted", "true -[0, 1, 2]"])
    #expect(try told { realm.delete(realm.objects(CaseAlbum.self)) } == [])
    #expect(albums.isInvalidated)
  }

  @Test("values within values of any type are changed in place, found, and told of")
  func nestedValues() throws {
    let artist = try makeArtist(2, albums: 0, songs: 0)
    try realm.write {
      artist.mixed = .fromDictionary([
        "list": .fromArray([.int(1), .string("x")]), "map": .fromDictionary(["k": .bool(true)]),
      ])
    }
    let artists = realm.objects(CaseArtist.self)
    observe(artists.observe { self.note("artists", $0) })
    #expect(
      try told { artist.mixed.dictionaryValue?["list"]?.listValue?.append(.double(2.5)) } == [
        "artists 1: -[] +[] ~[0]"
      ])
    #expect(artist.mixed.dictionaryValue?["list"]?.listValue?.count == 3)
    #expect(
      artists.filter("mixed['list'][2] == 2.5 AND mixed['map']['k'] == true AND mixed['list'][0] == 1").count == 1)
  }

  @Test("an update with an explicit nil clears, and one without the key leaves what is there")
  func updates() throws {
    let artist = try makeArtist(2, albums: 0, songs: 0)
    try realm.write {
      artist.mixed = .int(3)
      let date = Date(timeIntervalSince1970: 5)
      realm.create(CaseArtist.self, value: ["id": 2, "note": "n", "date": date] as [String: Any], update: .modified)
      realm.create(CaseArtist.self, value: ["id": 2, "note": NSNull()] as [String: Any], update: .modified)
    }
    #expect(artist.note == nil)
    #expect(artist.date == Date(timeIntervalSince1970: 5))
    #expect(artist.mixed == .int(3))
  }

  @Test("deleting the object of a map leaves the key with nil")
  func mapOfLinks() throws {
    let artist = try makeArtist(2, albums: 0, songs: 0)
    try realm.write {
      let album = realm.create(CaseAlbum.self, value: ["title": "m"])
      artist.links["one"] = album
      artist.links["two"] = album
      realm.delete(album)
    }
    #expect(artist.links.count == 2)
    #expect(artist.links.keys.sorted() == ["one", "two"])
    let value: CaseAlbum?? = artist.links["one"]
    #expect(value == .some(nil))
    #expect(realm.objects(CaseArtist.self).filter("links['one'] == nil").count == 1)
  }

  @Test("what is frozen and what a reference names stay as they were when an object goes")
  func handingOver() throws {
    for id in 10..<15 { _ = try makeArtist(id, albums: 0, songs: 0) }
    let results = realm.objects(CaseArtist.self).sorted(byKeyPath: "id", ascending: false)
    let frozen = results.freeze()
    let reference = ThreadSafeReference(to: results)
    let configuration = realm.configuration
    try realm.write { realm.delete(realm.object(ofType: CaseArtist.self, forPrimaryKey: 12)!) }
    elsewhere {
      do {
        let realm = try Realm(configuration: configuration)
        #expect(realm.resolve(reference)?.map(\.id) == [14, 13, 12, 11, 10])
      } catch { Issue.record(error) }
    }
    #expect(frozen.map(\.id) == [14, 13, 12, 11, 10])
    #expect(results.map(\.id) == [14, 13, 11, 10])
  }

  @Test("an observer of an object is told of its own properties, with old values from elsewhere")
  func objectObserver() throws {
    let artist = try makeArtist(10, albums: 0, songs: 0)
    _ = try makeArtist(11, albums: 0, songs: 0)
    observe(
      artist.observe { (change: ObjectChange<CaseArtist>) in
        guard case .change(_, let properties) = change else { return }
        self.log += properties.map { "\($0.name): \($0.oldValue ?? "-") -> \($0.newValue ?? "-")" }
      })
    let configuration = realm.configuration
    log = []
    elsewhere {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          for id in [10, 11] { realm.object(ofType: CaseArtist.self, forPrimaryKey: id)?.name = "new" }
        }
      } catch { Issue.record(error) }
    }
    realm.refresh()
    #expect(log == ["name:  -> new"])
    #expect(try told { artist.note = "z" } == ["note: - -> z"])
  }

  @Test("an observer may write and end itself")
  func writingObserver() throws {
    var calls = 0
    var token: NotificationToken?
    token = realm.objects(CaseAlbum.self).observe { [realm] change in
      guard case .update = change else { return }
      calls += 1
      token?.invalidate()
      do {
        try realm.write { realm.add(CaseSong(value: ["title": "made"])) }
      } catch { Issue.record(error) }
    }
    realm.refresh()
    for _ in 0..<2 { _ = try told { realm.add(CaseAlbum()) } }
    #expect(calls == 1)
    #expect(realm.objects(CaseSong.self).filter("title == 'made'").count == 1)
    let none = realm.objects(CaseSong.self).filter("title == 'nosuch'")
    #expect(none.first == nil)
    #expect(none.last == nil)
    #expect(none.isEmpty)
  }
}
