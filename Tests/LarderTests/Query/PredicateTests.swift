import Foundation
import Testing

@testable import Larder

@Suite struct PredicateTests {
  let realm: Realm
  var fruits: Results<Fruit> { realm.objects(Fruit.self) }

  init() throws { realm = try makeFruitRealm() }

  @Test("Q-16: trees of predicates; blocks are refused")
  func trees() throws {
    let ripe = NSPredicate(format: "ripe == TRUE")
    let dear = NSPredicate(format: "price > %@", 2.5)
    #expect(fruits.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [ripe, dear])).ids == [2])
    #expect(fruits.filter(NSCompoundPredicate(orPredicateWithSubpredicates: [])).ids == [])
    #expect(fruits.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count == 5)
    #expect(fruits.filter(NSCompoundPredicate(notPredicateWithSubpredicate: ripe)).ids == [3, 4, 5])
    #expect(fruits.filter(NSPredicate(value: false)).isEmpty && fruits.filter(NSPredicate(value: true)).count == 5)
    let block = NSPredicate { _, _ in true }
    let error = #expect(throws: Realm.Error.self) { try fruits.throwing.filter(block) }
    #expect(error?.message.contains("block predicate") == true)
    #expect(throws: Realm.Error.self) { try NSPredicate.parsing("price >") }
    #expect(try fruits.filter(NSPredicate.parsing("price > %@", argumentArray: [2.6])).ids == [2])
  }

  @Test("Q-18, Q-20: arguments of every kind")
  func arguments() {
    #expect(fruits.filter("%K == %@", "name", "Pear").ids == [2] && fruits.filter("id == %d", 3).ids == [3])
    #expect(fruits.filter("price == %f", 2.5).ids == [1, 4] && fruits.filter("id IN %@", [1, 2]).ids == [1, 2])
    #expect(fruits.filter("id IN %@", Set([5])).ids == [5] && fruits.filter("id BETWEEN %@", [2, 3]).ids == [2, 3])
    #expect(fruits.filter("taste == %@", Taste.sour).ids == [3] && fruits.filter("size == %@", Size.large).ids == [1])
    #expect(
      fruits.filter("stock == %@", NSNull()).ids == [3, 4, 5]
        && fruits.filter("stock == %@", Int?.none as Any).ids == [3, 4, 5])
    #expect(
      fruits.filter("rival == %@", fruits[0]).ids == [2, 3] && fruits.filter("ANY mixes == %@", fruits[1]).ids == [3])
    #expect(fruits.filter("rival IN %@", fruits.filter("id < 3")).ids == [2, 3, 4])
    #expect(
      fruits.filter("weight == %@", Decimal128(value: "1.50")).ids == [1] && fruits.filter("weight == '1.5'").ids == [1]
    )
  }

  @Test("Q-18: a value that no property has is an error")
  func unknownArguments() {
    struct Strange {}
    let error = #expect(throws: Realm.Error.self) { try fruits.throwing.filter("id == %@", Strange()) }
    #expect(error?.message.contains("cannot be an argument of a predicate") == true)
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter("id IN %@", [Strange()]) }
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter(rql: "id == $0", UInt64.max) }
    #expect(throws: Realm.Error.self) { try NSPredicate.parsing("id == %@", argumentArray: [Strange()]) }
  }

  @Test("Q-42: an object of another Realm is refused, one of no Realm equals nothing")
  func objects() throws {
    let other = try makeFruitRealm()
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter("rival == %@", other.objects(Fruit.self)[0]) }
    let foreign = other.objects(Fruit.self)[0]
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter("rival IN %@", [foreign]) }
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter(NSPredicate(format: "rival == %@", foreign)) }
    #expect(throws: Realm.Error.self) {
      try fruits.throwing.filter("SUBQUERY(mixes, $m, $m == %@).@count > 0", foreign)
    }
    #expect(throws: Realm.Error.self) { try fruits.throwing.index(matching: "rival == %@", foreign) }
    let error = #expect(throws: Realm.Error.self) { try fruits.throwing.where { $0.rival == foreign } }
    #expect(error?.message.contains("Use an object of this Realm") == true)
    #expect(throws: Realm.Error.self) { try fruits.throwing.where { !$0.mixes.contains(foreign) } }
    #expect(fruits.where { $0.rival == fruits[0].freeze() }.ids == [2, 3])
    #expect(fruits.filter("rival == %@", Fruit(1, "")).isEmpty && fruits.filter("rival != %@", Fruit(1, "")).count == 5)
  }

  @Test("E-100 to E-109: what is wrong is thrown with its place, or ends the process with the same text")
  func errors() async {
    let error = #expect(throws: Realm.Error.self) { try fruits.throwing.filter("prize > 3") }
    #expect(
      error?.message == """
        Class 'Fruit' has no property 'prize' (at position 0). Did you mean 'price'?
          prize > 3
          ^^^^^
        """)
    #expect(error?.code == .invalidInput)
    let fault = error?.predicateFault
    #expect(fault?.position == 0 && fault?.length == 5 && fault?.found == "prize" && fault?.suggestion == "price")
    #expect(fault?.expected?.contains("stock") == true && fault?.text == "prize > 3")
    for text in [
      "price", "", "price === 3", "price MATCHES 'a'", "ALL marks == 1", "price + name == 2", "mixes.price > 2",
    ] {
      #expect(throws: Realm.Error.self) { try fruits.throwing.filter(text) }
    }
    await #expect(processExitsWith: .failure) {
      _ = try makeFruitRealm().objects(Fruit.self).filter("prize > 3")
    }
  }

  @Test("Q-73: inverse properties, and Q-4: names are those of the program")
  func inverses() {
    #expect(fruits.filter("rivals.@count == 2").ids == [1] && fruits.filter("ANY rivals.price < 2").ids == [1])
    #expect(fruits.filter("SUBQUERY(rivals, $r, $r.ripe == TRUE).@count == 1").ids == [1])
  }

  @Test("B: RQL with its steps")
  func rql() throws {
    #expect(fruits.filter(rql: "price > $0 SORT(price DESC, id DESC) LIMIT(2)", 2).ids == [2, 4])
    #expect(fruits.filter(rql: "ALL marks > 3").ids == [2, 3, 4, 5])
    #expect(fruits.filter(rql: "rivals.name == 'kiwi' AND tags.length == 3").ids == [1])
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter(rql: "price > $0") }
  }

  @Test("Foundation's predicates")
  func foundation() throws {
    let dear = 2.5
    #expect(fruits.filter(#Predicate<Fruit> { $0.price > dear && $0.ripe }).ids == [2])
    #expect(fruits.filter(#Predicate<Fruit> { $0.name.starts(with: "A") || !($0.id < 5) }).ids == [1, 5])
    #expect(fruits.filter(#Predicate<Fruit> { $0.name.contains("p") }).ids == [1, 4])
    #expect(fruits.filter(#Predicate<Fruit> { $0.stock == nil }).ids == [3, 4, 5])
    #expect(fruits.filter(#Predicate<Fruit> { $0.rival?.name == "Apple" }).ids == [2, 3])
    #expect(fruits.filter(#Predicate<Fruit> { $0.tags.contains("red") }).ids == [1])
    #expect(fruits.filter(#Predicate<Fruit> { $0.mixes.contains { $0.price > 2.6 } }).ids == [3])
    #expect(fruits.filter(#Predicate<Fruit> { $0.mixes.count == 2 }).ids == [3])
    #expect(fruits.filter(#Predicate<Fruit> { $0.mixes.allSatisfy { $0.name == "Apple" } }).ids == [1, 2, 4, 5])
    #expect(fruits.filter(#Predicate<Fruit> { (1...2.5).contains($0.price) }).ids == [1, 3, 4])
    #expect(fruits.filter(#Predicate<Fruit> { [1, 5].contains($0.id) }).ids == [1, 5])
    #expect(fruits.filter(#Predicate<Fruit> { $0.nick?.contains("p") == true }).ids == [1])
    #expect(fruits.filter(#Predicate<Fruit> { $0.nick?.contains("p") ?? false }).ids == [1])
    #expect(fruits.filter(#Predicate<Fruit> { $0.nick?.contains("") != true }).ids == [2, 3, 4, 5])
    #expect(fruits.filter(#Predicate<Fruit> { $0.stock.flatMap { $0 != 10 } == true }).ids == [2])
    #expect(
      fruits.filter(#Predicate<Fruit> { $0.mixes.contains { $0.mixes.contains { $0.price > 2 } } }).ids == [3])
    #expect(fruits.filter(#Predicate<Fruit> { $0.id + 1 == 2 }).ids == [1])
    let error = #expect(throws: Realm.Error.self) {
      try fruits.throwing.filter(#Predicate<Fruit> { [1, 2].max() == 2 && $0.ripe })
    }
    #expect(error?.message.contains("SequenceMaximum") == true)
    #expect(fruits.sorted(by: [Foundation.SortDescriptor(\Fruit.price, order: .reverse)]).ids == [2, 1, 4, 3, 5])
  }

  @Test("U-9: limit and offset, Q-165: a filter after a limit looks at what is left")
  func limits() {
    let sorted = fruits.sorted(byKeyPath: "price", ascending: false)
    #expect(sorted.limit(2).ids == [2, 1] && sorted.offset(2).limit(2).ids == [4, 3] && sorted.limit(9).count == 5)
    #expect(sorted.limit(3).filter("ripe == FALSE").ids == [4] && sorted.limit(0).isEmpty && sorted.offset(9).isEmpty)
    #expect(fruits.limit(3).sorted(byKeyPath: "price").ids == [3, 1, 2])
    // Q-161: a filter comes before a distinct, whatever the order of the calls.
    #expect(fruits.distinct(by: ["price"]).filter("id == 4").ids == [4])
  }

  @Test("U-10: sorting by counts and aggregates; U-11: by the folded text or a language")
  func sorting() throws {
    #expect(fruits.sorted(byKeyPath: "mixes.@count", ascending: false).ids == [3, 2, 1, 4, 5])
    #expect(
      fruits.sorted(by: [.init(keyPath: "rivals.@count", ascending: false), .init(keyPath: "id")]).ids == [
        1, 2, 3, 4, 5,
      ])
    #expect(fruits.sorted(byKeyPath: "marks.@max", ascending: false).ids == [1, 2, 3, 4, 5])
    #expect(fruits.sorted(byKeyPath: "prices[EUR]", ascending: false).ids == [2, 1, 3, 4, 5])
    #expect(fruits.sorted(byKeyPath: "name").ids == [1, 2, 5, 3, 4])
    #expect(fruits.sorted(by: [SortDescriptor(keyPath: "name", collation: .caseInsensitive)]).ids == [1, 5, 3, 2, 4])
    let folded = SortDescriptor(keyPath: "name", ascending: false, collation: .caseAndDiacriticInsensitive)
    #expect(fruits.sorted(by: [folded]).ids == [2, 3, 5, 1, 4])
    #expect(fruits.sorted(by: [SortDescriptor(keyPath: \Fruit.name, collation: .locale("de"))]).ids == [4, 1, 5, 3, 2])
    #expect(throws: Realm.Error.self) { try fruits.throwing.sorted(byKeyPath: "mixes") }
    #expect(throws: Realm.Error.self) { try fruits.throwing.distinct(by: ["nme"]) }
    #expect(throws: Realm.Error.self) { try fruits[0].marks.throwing.sorted(byKeyPath: "id") }
  }

  @Test("Q-170, Q-171: aggregates of decimals")
  func aggregates() {
    #expect(
      fruits.sum(of: \.weight) == Decimal128(value: "1.5") && fruits.average(of: \.weight) == Decimal128(value: "0.3"))
    #expect(fruits.max(of: \.weight) == Decimal128(value: "1.5"))
    #expect(fruits.filter("id < 0").average(of: \.weight) == nil)
  }

  @Test("Q-67: objects are compared as such, never by their contents")
  func identity() {
    let origin = Origin()
    origin.country = "Italy"
    #expect(fruits.filter("origin == %@", origin).isEmpty && fruits.filter("origin != %@", origin).count == 5)
    #expect(fruits.filter("origin == %@", fruits[0].origin as Any).ids == [1])
  }

  @Test("Q-141: a deleted object that was compared with stops matching")
  func deleted() throws {
    let rivals = fruits.filter("rival == %@", fruits[0])
    let others = fruits.filter("rival != %@", fruits[0])
    #expect(rivals.count == 2 && others.count == 3)
    try realm.write { realm.delete(fruits[0]) }
    #expect(rivals.isEmpty && others.ids == [2, 3, 4, 5])
  }

  @Test("Q-160, Q-162: filters keep a sort; Q-163, Q-164: the order of sorts and distincts")
  func composition() {
    let sorted = fruits.sorted(byKeyPath: "price", ascending: false).filter("id < 4").filter("id > 1")
    #expect(sorted.ids == [2, 3])
    #expect(fruits.sorted(byKeyPath: "name").sorted(byKeyPath: "ripe").ids == [5, 3, 4, 1, 2])
    #expect(fruits.sorted(byKeyPath: "id", ascending: false).distinct(by: ["price"]).ids == [5, 4, 3, 2])
    #expect(fruits.distinct(by: ["price"]).sorted(byKeyPath: "id", ascending: false).ids == [5, 3, 2, 1])
    #expect(fruits.distinct(by: ["ripe"]).distinct(by: ["price"]).ids == [1, 3])
    #expect(fruits.sorted(by: [] as [Larder.SortDescriptor]).ids == [1, 2, 3, 4, 5])
  }

  @Test("Q-166: collections of values, sorted and made distinct; aggregates follow")
  func values() throws {
    try realm.write { fruits[0].marks.append(objectsIn: [9, 1, 4]) }
    let marks = fruits[0].marks
    #expect(Array(marks.sorted(ascending: false)) == [9, 9, 4, 1, 1] && Array(marks.distinct()) == [1, 9, 4])
    #expect(Array(marks.sorted(ascending: true).distinct()) == [1, 4, 9])
    #expect(marks.sum() == 24 && marks.distinct().sum() == 14)
  }

  @Test("Q-172: without elements the aggregates are nil, the sum is zero")
  func nothing() {
    let none = fruits.filter("FALSEPREDICATE")
    #expect(none.min(of: \.price) == nil && none.max(of: \.picked) == nil && none.average(of: \.price) == nil)
    #expect(none.sum(of: \.price) == 0 && none.sum(ofProperty: "stock") as Int? == 0)
  }
}
