import Foundation
import RealmSwift

public struct FitnessFailure: Error, CustomStringConvertible {
  public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
  if value != expected { throw FitnessFailure(description: "FitnessChecks, line \(line): \(value) and not \(expected)") }
}

public enum FitnessChecks {
  public static func run() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "fitness",
      objectTypes: [Workout.self, Interval.self, TrackPoint.self, Athlete.self, Device.self])
    let realm = try Realm(configuration: configuration)
    try fill(realm)
    try week(realm)
    try intervals(realm)
    try devices(realm)
    try schema(realm)
  }

  private static func fill(_ realm: Realm) throws {
    let run = Workout()
    run.id = 1
    run.title = "Along the river"
    run.begin()
    run.track.append(objectsIn: [TrackPoint(46.9, 7.4, altitude: 540), TrackPoint(46.95, 7.41)])
    try expect(run.finish(calories: 300), true)
    try expect(run.finish(calories: 320.5), false)
    let swim = Workout()
    swim.id = 2
    swim.sport = .swimming
    swim.intensity = .hard
    swim.start = Date(timeIntervalSinceReferenceDate: 60)
    swim.heartRate.value = 130
    let athlete = Athlete()
    athlete.name = "Mo"
    athlete.workouts.append(objectsIn: [run, swim])
    athlete.weights["2024"] = 70
    try realm.write { realm.add(athlete) }
  }

  private static func week(_ realm: Realm) throws {
    let model = WeekModel(realm)
    try expect(model.calories, 320.5)
    try expect(model.hearts, [130])
    try expect(model.hardHearts, [130])
    try expect(model.distances(), [2])
    try expect(model.highest(), 540)
    try expect(try model.record(30, for: 1), true)
    try expect(try model.record(30, for: 99), false)
    try expect(model.hearts, [105, 130])
    try expect(model.heart(of: Session()), 61)
    guard let longest = Workout.longest(in: realm) else { throw FitnessFailure(description: "no workout") }
    try expect(longest.line, "Along the river, 1 laps")
    try expect(longest.pace, 15)
    let athlete = realm.objects(Athlete.self).where { $0.workouts.title == "Along the river" }.first
    try expect(athlete?.name, "Mo")
    try expect(athlete?.weights["2024"], 70)
    try expect(longest.sport, .running)
    try expect(longest.intensity, .easy)
    try expect(longest.edits, 1)
    try expect(longest.track.first?.altitude.value, 540)
    try expect(longest.track.last?.altitude.value, nil)
    try expect(realm.objects(Workout.self).filter("sport == %@", Sport.swimming.rawValue).count, 1)
  }

  private static func intervals(_ realm: Realm) throws {
    let interval = Interval()
    interval.id = 3
    interval.target.value = 150
    interval.heartRate.value = 140
    interval.repeats = 8
    try realm.write { realm.add(interval) }
    let found = realm.objects(Interval.self).filter("repeats > 4")
    try expect(found.count, 1)
    try expect(found.first?.isOnTarget(), true)
    try realm.write { found.first?.heartRate.value = 151 }
    try expect(found.first?.isOnTarget(), false)
    try expect(found.first?.title, "Workout")
  }

  private static func devices(_ realm: Realm) throws {
    let device = Device()
    device.serial = "X1"
    device.connection = 4
    device.handler = { _ in }
    try realm.write {
      realm.add(device)
      realm.objects(Workout.self).first?.device = device
    }
    try expect(realm.objects(Device.self).first?.last?.title, "Along the river")
    try expect(realm.objects(Device.self).first?.connection, 0)
    try expect(realm.objects(Device.self).first?.battery, 1)
    #if os(Linux)
    try expect(realm.objects(Device.self).first?.driver, "bluez")
    #endif
  }

  private static func schema(_ realm: Realm) throws {
    try expect(realm.schema["FitnessWorkout"]?.primaryKeyProperty?.name, "id")
    try expect(realm.schema["Interval"]?.primaryKeyProperty?.name, "id")
    try expect(realm.schema["Interval"]?["repeats"]?.isIndexed, true)
    try expect(realm.schema["FitnessWorkout"]?["isRunning"] == nil, true)
    try expect(realm.schema["FitnessWorkout"]?["pace"] == nil, true)
    try expect(realm.schema["Device"]?["connection"] == nil, true)
    try expect(realm.schema["TrackPoint"]?["time"]?.type, .date)
    try expect(realm.schema["Athlete"]?["club"]?.isIndexed, true)
  }
}
