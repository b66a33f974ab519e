import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

private class Moment: Object {
  @Persisted var date: Date
  @Persisted var optional: Date?
}

@Suite("Dates") struct DateTests {
  @Test("O-26: dates come back to the precision of a Double, before and after 1970 and at the ends of time")
  func precision() throws {
    var random = SeededRandom.forTest()
    var dates = [
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.25), Date(timeIntervalSince1970: 0.999_999_999),
      Date(timeIntervalSince1970: -1e-9), .distantPast, .distantFuture,
    ]
    for _ in 0..<500 {
      dates.append(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e10...1e10, using: &random)))
    }
    for _ in 0..<500 { dates.append(Date(timeIntervalSinceReferenceDate: Double.random(in: -10...10, using: &random))) }
    let realm = try makeRealm([Moment.self])
    try realm.write {
      for date in dates { realm.create(Moment.self, value: ["date": date, "optional": date]) }
    }
    for (moment, date) in zip(realm.objects(Moment.self), dates) {
      let step = max(1e-9, abs(date.timeIntervalSinceReferenceDate).ulp, abs(date.timeIntervalSince1970).ulp)
      #expect(abs(moment.date.timeIntervalSince(date)) <= step, "\(date.timeIntervalSinceReferenceDate)")
      #expect(moment.optional == moment.date)
    }
  }

  private final class Moments: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var at: Date
    @Persisted var list: List<Date>
    @Persisted var set: MutableSet<Date?>
    @Persisted var map: Map<String, Date>
    @Persisted var any: AnyRealmValue
  }

  @Test("F-1: a date equals itself in every container, when it is searched for, and as smallest of an unmanaged list")
  func equality() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm([Moments.self])
    for id in 0..<300 {
      let limit = random.pick([1e8, 8e8, 9e9, 1e12, 1e17] as [Double])
      let interval = Double.random(in: 9e6...limit, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: random.oneIn(3) ? -interval : interval)
      let object = Moments(value: [
        "id": id, "at": date, "list": [date], "set": [date], "map": ["a": date], "any": date,
      ])
      #expect(object.list.min() == date && object.set.max() == date)
      try realm.write { realm.add(object) }
      #expect(object.at == date && object.list.first == date && object.set.contains(date) && object.map["a"] == date)
      #expect(object.any == .date(date) && object["at"] as? Date == date && object.list.max() == date)
      #expect(realm.objects(Moments.self).where { $0.at == date }.contains { $0.id == id })
      #expect(
        realm.objects(Moments.self).filter("ANY list == %@ AND %K == %@", date, "any", date).contains { $0.id == id })
      #expect(realm.objects(Moments.self).filter(NSPredicate(format: "at == %@", date as NSDate)).count >= 1)
      #expect(object.freeze().at == date && object.detached().at == date)
    }
  }

  @Test("F-122: dates come back equal, but within 97 days of 2001, where they come back to the nearest nanosecond")
  func belowNanoseconds() throws {
    var random = SeededRandom.forTest()
    let border = 0x1p23
    #expect((97 * 86_400..<98 * 86_400).contains(border))
    let realm = try makeRealm([Moment.self])
    func stored(_ interval: Double) throws -> Double {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      let moment = try realm.write { realm.create(Moment.self, value: ["date": date, "optional": date]) }
      #expect(moment.optional == moment.date)
      return moment.date.timeIntervalSinceReferenceDate
    }
    for sign in [1.0, -1.0] {
      for interval in [border, border.nextUp, 1e9, 1e9.nextUp, 0x1p40, 0x1p53, 0x1p62, 0x1p63.nextDown - 1e10] {
        #expect(try stored(sign * interval) == sign * interval)
      }
      for _ in 0..<300 {
        let far = sign * Double.random(in: border...1e12, using: &random)
        #expect(try stored(far) == far)
        let near = sign * Double.random(in: 0...border, using: &random)
        let back = try stored(near)
        #expect(abs(back - near) <= 0.5e-9 + near.ulp)
        #expect(try stored(back) == back)
      }
      // Half a nanosecond is not kept.
      #expect(try stored(sign * 0.000_000_000_4) == 0)
      #expect(try stored(sign * .greatestFiniteMagnitude) == (sign > 0 ? 0x1p63 - 978_307_200 : -0x1p63))
    }
  }

  @Test("O-26: what is stored are seconds and nanoseconds, which order as the dates do") func timestamps() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1.5)) == Timestamp(seconds: 1, nanoseconds: 500_000_000))
    #expect(Timestamp(Date(timeIntervalSince1970: -0.25)) == Timestamp(seconds: -1, nanoseconds: 750_000_000))
    #expect(Timestamp(Date(timeIntervalSince1970: -1e-10)) == Timestamp(seconds: 0))
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let a = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
      let b = a + Double.random(in: 0...2, using: &random)
      #expect(!(Timestamp(b) < Timestamp(a)))
      #expect(Timestamp(Timestamp(a).date) == Timestamp(a) || abs(Timestamp(a).date.timeIntervalSince(a)) < 1e-6)
    }
  }

  @Test("O-21: a date without a value is the time of its creation, an optional one nil") func defaults() throws {
    let before = Date()
    let moment = Moment()
    let after = Date()
    #expect(moment.date >= before && moment.optional == nil)
    #expect(moment.date <= after && moment.date == moment.date)
  }
}
