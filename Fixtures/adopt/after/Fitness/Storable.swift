import Foundation
import Larder

// The cases of an enum can only be listed by the compiler where it is declared.
extension Intensity: PersistableEnum {}

extension Workout {
  /// For lists.
  var line: String {
    "\(title), \(laps.count) laps"
  }

  func addLap(_ minutes: Double) {
    laps.append(minutes)
    edits += 1
    heartRate = (heartRate ?? 100) + 5
  }

  static func longest(in realm: Realm) -> Workout? {
    realm.objects(Workout.self)
      .filter("distance != nil")
      .sorted(byKeyPath: "distance", ascending: false)
      .first
  }
}

/// What is shown of a week.
final class WeekModel {
  private let realm: Realm
  private let workouts: Results<Workout>
  private lazy var hardest = realm.objects(Workout.self).filter("intensity == 'hard'")

  init(_ realm: Realm) {
    self.realm = realm
    workouts = realm.objects(Workout.self).sorted(byKeyPath: Workout.sortKey)
  }

  var calories: Double {
    var total = 0.0
    workouts.forEach { workout in total += workout.calories ?? 0 }
    return total
  }

  var hearts: [Int32] {
    workouts.compactMap(\.heartRate)
  }

  var hardHearts: [Int32] {
    return hardest.compactMap { $0.heartRate }
  }

  func distances() -> [Double] {
    var result: [Double] = []
    for (index, _) in workouts.enumerated() {
      if let distance = workouts[index].distance { result.append(distance) }
    }
    return result
  }

  func heart(of session: Session) -> Int {
    session.heartRate.value + session.value
  }

  func record(_ minutes: Double, for id: Int64) throws -> Bool {
    guard let workout = realm.object(ofType: Workout.self, forPrimaryKey: id) else { return false }
    try realm.write {
      workout.addLap(minutes)
      if workout.heartRate == nil {
        workout.heartRate = 100
      }
    }
    return true
  }

  func highest() -> Float? {
    let points = workouts.flatMap { (workout: Workout) -> [TrackPoint] in Array(workout.track) }
    var highest: Float?
    for point: TrackPoint in points {
      guard let altitude = point.altitude else { continue }
      highest = max(highest ?? altitude, altitude)
    }
    return highest
  }
}
