import Foundation
import TestSupport
import Testing

@testable import Larder

private final class NumberLists: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var ints: List<Int>
  @Persisted var shorts: List<Int16>
  @Persisted var optInts: List<Int?>
  @Persisted var doubles: List<Double>
  @Persisted var optFloats: List<Float?>
  @Persisted var counts: MutableSet<Int>
  @Persisted var weights: Map<String, Double>
}

/// Aggregates and elements of lists of numbers, read from chunks, against plain arrays.
@Suite("Lists of numbers")
struct NumberListTests {
  private struct Model {
    var ints: [Int] = []
    var shorts: [Int16] = []
    var optInts: [Int?] = []
    var doubles: [Double] = []
    var optFloats: [Float?] = []
    var counts: Set<Int> = []
    var weights: [String: Double] = [:]
  }

  private func edit<Element>(
    _ list: List<Element>, _ model: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    let position = random.int(0...model.count)
    switch random.int(0...6) {
    case 0...2:
      let values = (0..<random.int(1...300)).map { _ in make(&random) }
      list.insert(contentsOf: values, at: position)
      model.insert(contentsOf: values, at: position)
    case 3 where position < model.count:
      let value = make(&random)
      list[position] = value
      model[position] = value
    case 4 where position < model.count:
      let end = min(model.count, position + random.int(1...200))
      list.removeSubrange(position..<end)
      model.removeSubrange(position..<end)
    case 5 where position < model.count:
      let target = random.int(0..<model.count)
      list.move(from: position, to: target)
      model.insert(model.remove(at: position), at: target)
    default:
      let value = make(&random)
      list.append(value)
      model.append(value)
    }
  }

  private func edit(_ object: NumberLists, _ model: inout Model, _ random: inout SeededRandom) {
    switch random.int(0...6) {
    case 0: edit(object.ints, &model.ints, &random) { $0.oneIn(40) ? $0.int(-1 << 40...1 << 40) : $0.int(0...300) }
    case 1: edit(object.shorts, &model.shorts, &random) { Int16($0.int(-300...300)) }
    case 2: edit(object.optInts, &model.optInts, &random) { $0.oneIn(5) ? nil : $0.int(-9...70_000) }
    case 3: edit(object.doubles, &model.doubles, &random) { Double($0.int(-1_000...1_000)) / 7 }
    case 4: edit(object.optFloats, &model.optFloats, &random) { $0.oneIn(5) ? nil : Float($0.int(-99...99)) / 3 }
    case 5:
      let value = random.int(-1_000...1_000)
      object.counts.insert(value)
      model.counts.insert(value)
    default:
      let (key, value) = ("\(random.int(0...99))", Double(random.int(-50...50)) / 4)
      object.weights[key] = value
      model.weights[key] = value
    }
  }

  private func check(_ object: NumberLists, _ model: Model, _ random: inout SeededRandom, _ place: String) {
    #expect(object.ints.sum() == model.ints.reduce(0, +), "\(place)")
    #expect(object.ints.min() == model.ints.min() && object.ints.max() == model.ints.max(), "\(place)")
    let mean = model.ints.isEmpty ? nil : Double(model.ints.reduce(0, +)) / Double(model.ints.count)
    #expect(object.ints.average() == mean, "\(place)")
    let short = model.shorts.reduce(0) { $0 + Int($1) }
    if Int16(exactly: short) != nil { #expect(Int(object.shorts.sum()) == short, "\(place)") }
    #expect(object.shorts.min() == model.shorts.min() && object.shorts.max() == model.shorts.max(), "\(place)")
    let present = model.optInts.compactMap { $0 }
    #expect(object.optInts.sum() == present.reduce(0, +), "\(place)")
    #expect(
      (object.optInts.min() ?? nil) == present.min() && (object.optInts.max() ?? nil) == present.max(), "\(place)")
    // In the order of the list, so that the rounding is that of an array.
    #expect(object.doubles.sum() == model.doubles.reduce(0, +), "\(place)")
    #expect(object.doubles.min() == model.doubles.min() && object.doubles.max() == model.doubles.max(), "\(place)")
    let floats = model.optFloats.compactMap { $0 }
    #expect(
      (object.optFloats.min() ?? nil) == floats.min() && (object.optFloats.max() ?? nil) == floats.max(), "\(place)")
    let total: Double = object.optFloats.sum(ofProperty: "self")
    #expect(total == floats.reduce(0) { $0 + Double($1) }, "\(place)")
    #expect(object.counts.sum() == model.counts.reduce(0, +) && object.counts.min() == model.counts.min(), "\(place)")
    #expect(object.weights.max() == model.weights.values.max(), "\(place)")
    #expect(object.weights.sum() == model.weights.values.reduce(0, +), "\(place)")
    for _ in 0..<60 where !model.ints.isEmpty {
      let position = random.int(0..<model.ints.count)
      #expect(object.ints[position] == model.ints[position], "\(place), position \(position)")
    }
    for _ in 0..<20 where !model.optFloats.isEmpty {
      let position = random.int(0..<model.optFloats.count)
      #expect(object.optFloats[position] == model.optFloats[position], "\(place), position \(position)")
    }
  }

  @Test("Q-170, O-80 aggregates and elements are those of arrays in transactions, after commits and after a refresh")
  func randomEdits() throws {
    var random = SeededRandom.forTest()
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([NumberLists.self])
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let object = try realm.write { realm.create(NumberLists.self, value: ["id": 1]) }
    var model = Model()
    for round in 0..<6 {
      try realm.write {
        for _ in 0..<random.int(1...25) { edit(object, &model, &random) }
        check(object, model, &random, "round \(round), in the transaction")
        for _ in 0..<random.int(0...9) { edit(object, &model, &random) }
        check(object, model, &random, "round \(round), in the transaction again")
      }
      check(object, model, &random, "round \(round)")
      // Another Realm of the store changes the lists; this one sees that after a refresh, and before it what it saw.
      let (before, copy) = (model, configuration)
      let (seed, shared) = (random.next(), model)
      let queue = DispatchQueue(label: "writer")
      model = try queue.sync {
        var (random, model) = (SeededRandom(seed: seed), shared)
        let other = try Realm(configuration: copy, queue: queue)
        try other.write {
          if let object = other.object(ofType: NumberLists.self, forPrimaryKey: 1) {
            for _ in 0..<random.int(1...5) { edit(object, &model, &random) }
          }
        }
        other.invalidate()
        return model
      }
      check(object, before, &random, "round \(round), before the refresh")
      realm.refresh()
      check(object, model, &random, "round \(round), refreshed")
      check(object.freeze(), model, &random, "round \(round), frozen")
    }
  }

  @Test("Q-171 nil and NaN are skipped, in the store as in memory")
  func nothing() throws {
    let realm = try makeRealm([NumberLists.self])
    let held = NumberLists()
    let object = try realm.write { realm.create(NumberLists.self, value: ["id": 1]) }
    for lists in [held, object] {
      let means: [Double?] = [lists.ints.average(), lists.doubles.average()]
      #expect(means == [nil, nil])
      #expect(lists.ints.sum() == 0 && lists.ints.min() == nil)
      #expect(lists.doubles.sum() == 0 && lists.doubles.max() == nil)
    }
    held.doubles.append(objectsIn: [.nan, 1.5, .nan, 2.5])
    held.optInts.append(objectsIn: [nil, nil])
    try realm.write {
      object.doubles.append(objectsIn: [.nan, 1.5, .nan, 2.5])
      object.optInts.append(objectsIn: [nil, nil])
    }
    for lists in [held, object] {
      #expect(lists.doubles.sum() == 4 && lists.doubles.average() == 2)
      #expect(lists.doubles.min() == 1.5 && lists.doubles.max() == 2.5)
      #expect(lists.optInts.sum() == 0 && lists.optInts.max() == nil)
    }
  }

  @Test("O-80 a position outside of a list is an error, by however many positions were read before")
  func bounds() throws {
    let realm = try makeRealm([NumberLists.self])
    let object = try realm.write { realm.create(NumberLists.self, value: ["id": 1, "ints": Array(0..<5_000)]) }
    for position in 0..<5_000 { #expect(object.ints[position * 7 % 5_000] == position * 7 % 5_000) }
    #expect(throws: (any Error).self) { try object.ints.throwing[5_000] }
    #expect(throws: (any Error).self) { try object.ints.throwing[-1] }
  }
}
