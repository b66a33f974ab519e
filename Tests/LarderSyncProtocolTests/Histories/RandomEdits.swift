@testable import LarderSyncProtocol
import TestBasics

/// Changes that a program makes: of objects of one class with numbers, a counter, collections, embedded objects and a property of any type.
struct RandomEdits {
  var random: SeededRandom
  /// True if nearly all changes are of lists.
  var isListHeavy: Bool
  var keys: Int

  static func name(_ key: Int) -> ObjectName { ObjectName(className: "Thing", key: .int(Int64(key))) }

  /// A change of the store, which is made at once, as the store logs it.
  mutating func change(_ store: inout PlainStore) -> [LocalEdit] {
    let object = Self.name(random.int(1...keys))
    guard store.contains(object) else { return made(object, &store) }
    let kind = isListHeavy && !random.oneIn(6) ? 20 : random.int(0...23)
    let change: LocalChange? =
      switch kind {
      case 0: delete(object, &store)
      case 1: create(object, &store)
      case 2...4: assign(object, LocalPath(random.oneIn(2) ? "q" : "x"), &store)
      case 5, 6: add(object, &store)
      case 7, 8: changeSet(object, &store)
      case 9, 10: changeMap(object, LocalPath("m"), &store)
      case 11, 12: changeEmbedded(object, &store)
      case 13, 14: changeMixed(object, &store)
      case 15, 16: changeObjects(object, &store)
      default: changeList(object, LocalPath("l"), &store)
      }
    return change.map { [LocalEdit(object, $0)] } ?? []
  }

  /// A new object, to which half of the programs add in the same transaction: get or create, then count.
  private mutating func made(_ object: ObjectName, _ store: inout PlainStore) -> [LocalEdit] {
    let creation = create(object, &store)
    guard random.oneIn(2), let addition = count(up: object, &store) else { return [LocalEdit(object, creation)] }
    return [LocalEdit(object, creation), LocalEdit(object, addition)]
  }

  private mutating func number() -> SyncValue { .int(Int64(random.int(0...9))) }

  /// Every other object counts in decimals, some of which are so large that sums are rounded.
  private func countsDecimals(_ object: ObjectName) -> Bool {
    if case .int(let key) = object.key { key % 2 == 1 } else { false }
  }

  private mutating func count(_ object: ObjectName) -> SyncValue {
    guard countsDecimals(object) else { return number() }
    let digit = UInt128(random.int(0...9))
    return .decimal(SyncDecimal(random.oneIn(2) ? Self.mostDigits - digit : digit))
  }

  private static let mostDigits: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  private mutating func delta(_ object: ObjectName) -> SyncDelta {
    guard countsDecimals(object) else { return .int(Int64(random.int(1...5)) * 10) }
    return .decimal(
      SyncDecimal(UInt128(random.int(1...9)), exponent: random.int(-1...1), isNegative: random.oneIn(2)))
  }

  private mutating func create(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    var properties = [CreatedProperty("q", .int(Int64(random.int(0...2))))]
    if random.oneIn(2) {
      properties.append(CreatedProperty("x", number(), rank: random.oneIn(2) ? .byDefault : .explicit))
    }
    properties.append(CreatedProperty("c", count(object), rank: random.oneIn(2) ? .explicit : .byDefault))
    if store.contains(object) {
      for property in properties where property.rank == .explicit {
        store.set(object, LocalPath(property.name), property.value)
      }
    } else {
      store.replace(object, with: properties.map { SyncProperty($0.name, $0.value) })
    }
    return .create(properties)
  }

  private mutating func delete(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    store.replace(object, with: nil)
    return .delete
  }

  private mutating func assign(_ object: ObjectName, _ path: LocalPath, _ store: inout PlainStore) -> LocalChange {
    let value =
      switch path.property {
      case "q": SyncValue.int(Int64(random.int(0...3)))
      case "c": count(object)
      default: number()
      }
    store.set(object, path, value)
    return .set(path, value)
  }

  private mutating func add(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange? {
    if random.oneIn(5) { return assign(object, LocalPath("c"), &store) }
    return count(up: object, &store) ?? assign(object, LocalPath("c"), &store)
  }

  /// Adds to the counter; nil when there is no number.
  private mutating func count(up object: ObjectName, _ store: inout PlainStore) -> LocalChange? {
    let path = LocalPath("c")
    let delta = delta(object)
    guard let sum = store.value(object, path)?.adding(delta) else { return nil }
    store.set(object, path, sum)
    return .add(path, delta)
  }

  private mutating func changeSet(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    let path = LocalPath("s")
    let value = SyncValue.int(Int64(random.int(0...3)))
    switch random.int(0...5) {
    case 0:
      store.removeAll(object, path)
      return .setClear(path)
    case 1, 2:
      store.setMember(value, isPresent: false, object, path)
      return .setRemove(path, value)
    default:
      store.setMember(value, isPresent: true, object, path)
      return .setInsert(path, value)
    }
  }

  private mutating func changeMap(_ object: ObjectName, _ path: LocalPath, _ store: inout PlainStore) -> LocalChange {
    let key = SyncText(random.pick(["u", "v"]))
    switch random.int(0...6) {
    case 0:
      store.removeAll(object, path)
      return .mapClear(path)
    case 1, 2:
      store.removeKey(key, object, path)
      return .mapRemove(path, key)
    default:
      let value = random.oneIn(4) ? embedded() : number()
      store.set(object, path.appending(.key(key)), value)
      return .mapPut(path, key, value)
    }
  }

  private mutating func embedded() -> SyncValue {
    .embedded(SyncEmbedded(incarnation: .root, properties: [SyncProperty("x", number())]))
  }

  private mutating func changeEmbedded(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    let path = LocalPath("e")
    if case .embedded = store.value(object, path), !random.oneIn(3) {
      if random.oneIn(2) { return changeList(object, path.appending(.property("l")), &store) }
      return assign(object, path.appending(.property("x")), &store)
    }
    let value = random.oneIn(6) ? SyncValue.null : embedded()
    store.set(object, path, value)
    return .set(path, value)
  }

  private mutating func changeMixed(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    let path = LocalPath("z")
    if !random.oneIn(3) {
      switch store.value(object, path) {
      case .list: return changeList(object, path, &store)
      case .map: return changeMap(object, path, &store)
      default: break
      }
    }
    let value: SyncValue =
      switch random.int(0...3) {
      case 0: number()
      case 1: .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("u", number())]))
      default: .list(SyncList(incarnation: .root, entries: [SyncListEntry(element: .root, value: number())]))
      }
    store.set(object, path, value)
    return .set(path, value)
  }

  private mutating func changeObjects(_ object: ObjectName, _ store: inout PlainStore) -> LocalChange {
    let path = LocalPath("o")
    let count = store.count(object, path)
    if count > 0, random.oneIn(2) {
      return assign(object, path.appending(.index(random.int(0..<count))).appending(.property("x")), &store)
    }
    return changeList(object, path, holdsObjects: true, &store)
  }

  private mutating func changeList(
    _ object: ObjectName, _ path: LocalPath, holdsObjects: Bool = false, _ store: inout PlainStore
  ) -> LocalChange {
    let count = store.count(object, path)
    switch count == 0 ? 9 : random.int(0...9) {
    case 0 where random.oneIn(3):
      for index in (0..<count).reversed() { store.remove(at: index, object, path) }
      return .listClear(path, sizeBefore: count)
    case 0...2:
      let index = random.int(0..<count)
      let removed = min(random.int(1...2), count - index)
      for _ in 0..<removed { store.remove(at: index, object, path) }
      return .listRemove(path, at: index, count: removed, sizeBefore: count)
    case 3, 4:
      let (from, to) = (random.int(0..<count), random.int(0..<count))
      store.move(from: from, to: to, object, path)
      return .listMove(path, from: from, to: to, sizeBefore: count)
    case 5:
      let slot = path.appending(.index(random.int(0..<count)))
      let value = holdsObjects ? embedded() : number()
      store.set(object, slot, value)
      return .set(slot, value)
    default:
      let index = random.oneIn(2) ? count : random.int(0...count)
      let values = (0..<random.int(1...3)).map { _ in holdsObjects ? embedded() : number() }
      store.insert(values, at: index, object, path)
      return .listInsert(path, at: index, values, sizeBefore: count)
    }
  }
}
