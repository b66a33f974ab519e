import LarderSyncProtocol
import TestBasics

extension SyncGenerator {
  mutating func path() -> SyncPath {
    SyncPath(name(), random.oneIn(2) ? [] : (0..<random.int(1..<4)).map { _ in step() })
  }

  mutating func step() -> SyncPathStep {
    switch random.int(0..<3) {
    case 0: .element(id(), in: id())
    case 1: .key(text(), in: id())
    default: .property(name(), in: id())
    }
  }

  mutating func collection() -> SyncCollectionPath {
    SyncCollectionPath(path(), incarnation: random.oneIn(2) ? .root : id())
  }

  mutating func delta() -> SyncDelta { random.oneIn(2) ? .int(random.anyInt64()) : .decimal(decimal()) }

  mutating func values() -> [SyncValue] { (0..<random.int(1..<4)).map { _ in value(depth: 2) } }

  /// The first of a few names that follow each other, which must not be the last ones there are.
  mutating func firstOfFew() -> OperationID {
    let id = id()
    return id.advanced(by: 100) == nil ? OperationID(site: id.site, siteVersion: id.siteVersion, operation: 1) : id
  }

  mutating func edit() -> SyncEdit {
    switch random.int(0..<13) {
    case 0:
      return .create(
        (0..<random.int(0..<5)).map { _ in CreatedProperty(name(), value(), rank: random.pick(ValueRank.allCases)) })
    case 1: return .delete
    case 2: return .set(path(), value())
    case 3: return .add(path(), delta())
    case 4: return .setInsert(collection(), scalar())
    case 5: return .setRemove(collection(), scalar())
    case 6: return .setClear(collection())
    case 7: return .mapPut(collection(), text(), value())
    case 8: return .mapRemove(collection(), text())
    case 9: return .mapClear(collection())
    case 10:
      return .listInsert(collection(), values(), first: firstOfFew(), left: place(), right: place())
    case 11: return .listMove(collection(), id(), position: id(), left: place(), right: place())
    default: return .listRemove(collection(), runs())
    }
  }

  mutating func commit(siteVersion: UInt64) -> SyncCommit {
    self.siteVersion = siteVersion
    var objects = [object()]
    let operations = (0..<random.int(0..<6)).map { index in
      operation = UInt32(index)
      if random.oneIn(2) { objects.append(object()) }
      return SyncOperation(random.oneIn(4) ? random.pick(objects) : objects[objects.count - 1], edit())
    }
    return SyncCommit(
      siteVersion: siteVersion, time: SyncTime(rawValue: number()), nonce: random.next(), operations: operations)
  }

  mutating func result() -> OperationResult {
    switch random.int(0..<9) {
    case 0: .at(left: place())
    case 1: .lost
    case 2: .echo
    case 3: .whole
    case 4: .noop
    case 5: .noRow
    case 6: .refused(random.pick(RefusalReason.allCases))
    default: .plain
    }
  }

  mutating func cell() -> CellDelta {
    switch random.int(0..<9) {
    case 0: return .set(path(), value())
    case 1: return .add(path(), delta())
    case 2: return .setInsert(collection(), (0..<random.int(0..<4)).map { _ in scalar() })
    case 3: return .setRemove(collection(), (0..<random.int(0..<4)).map { _ in scalar() })
    case 4: return .mapPut(collection(), text(), value())
    case 5: return .mapRemove(collection(), (0..<random.int(0..<4)).map { _ in text() })
    case 6: return .listInsert(collection(), values(), first: firstOfFew(), left: place())
    case 7: return .listMove(collection(), id(), position: id(), left: place())
    default: return .listRemove(collection(), runs())
    }
  }

  mutating func objectDelta() -> ObjectDelta {
    switch random.int(0..<4) {
    case 0: ObjectDelta(object(), .cells((0..<random.int(0..<4)).map { _ in cell() }))
    case 1: ObjectDelta(object(), .whole(properties(random.int(0..<6), depth: 3)))
    case 2: ObjectDelta(object(), .columns(properties(random.int(0..<3), depth: 3)))
    default: ObjectDelta(object(), .gone)
    }
  }

  mutating func objectDeltas() -> [ObjectDelta] { (0..<random.int(0..<4)).map { _ in objectDelta() } }

  mutating func marker() -> OwnMarker {
    OwnMarker(siteVersion: siteVersion, results: (0..<random.int(0..<5)).map { _ in result() })
  }

  mutating func record(version: UInt64) -> DownloadRecord {
    let isOwn = random.oneIn(3)
    let outer = site
    let author = isOwn && !random.oneIn(4) ? outer ?? anySite() : anySite()
    site = author
    siteVersion = UInt64(random.int(1..<4))
    let own = isOwn ? marker() : nil
    let record = DownloadRecord(
      version: version, time: SyncTime(rawValue: number()), site: author, own: own, objects: objectDeltas())
    site = outer
    return record
  }
}
