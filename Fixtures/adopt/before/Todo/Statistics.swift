import Foundation
#if canImport(RealmSwift)
import RealmSwift
#endif

/// A day's work, counted; written once a day.
@objcMembers
class DailyCount: Object {
  // Days since 1970.
  dynamic var day = 0
  dynamic var finished = 0, added = 0, /* by anybody */ moved = 0
  dynamic var note: String? {
    didSet { noteLength = note?.count ?? 0 }
  }
  let minutes = RealmOptional<Int>()
  let perProject = Map<String, Int>()
  let mood = RealmOptional<Mood>(.fine)

  // Derived from the note; kept beside it while the object is in memory.
  var noteLength = 0

  override class func primaryKey() -> String? { return "day" }
  override class func ignoredProperties() -> [String] { ["noteLength"] }

  required override init() {
    super.init()
  }

  init(day: Int) {
    super.init()
    self.day = day
  }

  var isBusy: Bool {
    return (minutes.value ?? 0) > 60 && finished > 0
  }
}

@objc enum Mood: Int, RealmEnum { case bad = -1, fine = 0, good = 1 }

/// Counts what happens, and says how it went.
struct Statistics {
  let realm: Realm

  /// The count of a day, made if there is none yet. To be called within a write transaction.
  func count(of day: Int) -> DailyCount {
    if let found = realm.object(ofType: DailyCount.self, forPrimaryKey: day) { return found }
    let made = DailyCount(day: day)
    realm.add(made)
    return made
  }

  func record(_ tasks: [Task], on day: Int, mood: Mood? = nil) throws {
    try realm.write {
      let count = self.count(of: day)
      count.finished += tasks.filter { $0.isDone }.count
      count.minutes.value = tasks.reduce(count.minutes.value ?? 0) { $0 + ($1.spent.value ?? 0) }
      for task in tasks {
        let name = task.project?.title ?? "none"
        count.perProject[name] = (count.perProject[name] ?? 0) + 1
      }
      if let mood = mood { count.mood.value = mood }
    }
  }

  /// The mood of each day that has one.
  func moods() -> [Int: Mood] {
    var result: [Int: Mood] = [:]
    for count in realm.objects(DailyCount.self).sorted(byKeyPath: #keyPath(DailyCount.day)) {
      guard let mood = count.mood.value else { continue }
      result[count.day] = mood
    }
    return result
  }

  /// Minutes of all days, and of the busiest one.
  func minutes() -> (sum: Int, most: Int?) {
    let counts = realm.objects(DailyCount.self)
    let sum: Int = counts.sum(ofProperty: "minutes")
    let busiest = counts.filter("minutes != nil").sorted(byKeyPath: "minutes", ascending: false).first
    return (sum, busiest?.minutes.value)
  }

  func forget(before day: Int) throws {
    do {
      try realm.write { realm.delete(realm.objects(DailyCount.self).filter("day < %@", day)) }
    } catch let error as Realm.Error where error.code == .fail {
      print("not now")
    } catch let error as NSError where error.code == 5 || error.domain == "elsewhere" {
      print(error.localizedDescription)
    }
  }
}

extension TodoChecks {
  public static func runStatistics() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "statistics",
        objectTypes: [DailyCount.self, Task.self, Step.self, Tag.self, Project.self, Person.self]))
    let statistics = Statistics(realm: realm)
    let task = Task(title: "Count")
    task.spent.value = 70
    task.isDone = true
    try statistics.record([task], on: 3, mood: .good)
    try statistics.record([], on: 4)
    try check(statistics.moods() == [3: .good, 4: .fine], "moods")
    try check(statistics.minutes().sum == 70 && statistics.minutes().most == 70, "minutes")
    try check(realm.objects(DailyCount.self).first?.isBusy == true, "busy")
    try check(realm.objects(DailyCount.self).first?.perProject["none"] == 1, "projects")
    try statistics.forget(before: 4)
    try check(realm.objects(DailyCount.self).map { $0.day } == [4], "days")
    let count = DailyCount(day: 9)
    count.note = "four"
    try check(count.noteLength == 4 && count.moved == 0, "note")
    try check(realm.schema["DailyCount"]?["noteLength"] == nil, "schema")
  }

  private static func check(_ holds: Bool, _ what: String) throws {
    if !holds { throw TodoFailure(description: "statistics: \(what)") }
  }
}
