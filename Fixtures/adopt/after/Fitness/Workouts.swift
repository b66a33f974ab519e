import Foundation
import Larder

// The program has names of its own that Realm has as well.
public typealias StoredObject = RealmSwiftObject
typealias Embedded = EmbeddedObject

enum Sport: Int, PersistableEnum {
  case running = 1, cycling, swimming
}

enum Intensity: String, CaseIterable {
  case easy
  case hard
}

/// Conformance in one place, declaration in another.
open class Workout: StoredObject {
  public override class func _realmObjectName() -> String? { self == Workout.self ? "FitnessWorkout" : nil }

  @Persisted(primaryKey: true) public var id: Int64 = 0
  /// When it began.
  /// - Note: in the time zone of the user
  @Persisted public var start: Date = .init(timeIntervalSinceReferenceDate: 0)
  @Persisted open var title: String = NSLocalizedString("Workout", comment: "")
  @Persisted var sport: Sport = .running
  @Persisted var intensity = Intensity.easy
  @Persisted internal var isFavourite = false
  @Persisted public internal(set) var edits: Int16 = 0
  @Persisted var heartRate: Int32?
  @Persisted var calories: Double?
  @Persisted var distance: Double?
  @Persisted var track: List<TrackPoint>
  @Persisted var laps: List<Double>
  @Persisted var device: Device?

  /// Kept while a workout goes on.
  private var isRunning = false
  fileprivate var pauses: [Date] = []
  public static var defaultTitle = "Workout"
  class var sortKey: String { return "start" }

  @available(*, deprecated, message: "Use pace")
  @Persisted var oldPace: Double = 0

  /// Minutes for a kilometre.
  var pace: Double? {
    guard let distance = distance, distance > 0 else { return nil }
    return laps.sum() / distance
  }

  func begin() {
    isRunning = true
    pauses.removeAll()
  }

  func finish(calories burned: Double?) -> Bool {
    let wasRunning = isRunning
    isRunning = false
    calories = burned
    distance = track.isEmpty ? nil : Double(track.count)
    return wasRunning
  }
}

open class Interval: Workout {
  @Persisted(indexed: true) var repeats = 1
  @Persisted var rest = 30.0
  @Persisted var target: Int32?

  func isOnTarget() -> Bool {
    guard let target = target else { return true }
    return heartRate ?? 0 <= target
  }
}

class TrackPoint: Embedded {
  @Persisted var latitude: Double = 0
  @Persisted var longitude: Double = 0
  @Persisted var time = Date()
  @Persisted var altitude: Float?

  convenience init(_ latitude: Double, _ longitude: Double, altitude: Float? = nil) {
    self.init()
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

final class Athlete: StoredObject {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
  @Persisted var workouts: List<Workout>
  @Persisted var weights: Map<String, Double>
  @Persisted(indexed: true) var club: String?
}

final class Device: StoredObject {
  @Persisted var serial = ""
  var last: Workout? { workouts.last }
  @Persisted(originProperty: "device") var workouts: LinkingObjects<Workout>
  @Persisted var battery: Float = 1
  // Of the session, and not of the device.
  var connection: Int = 0
  var handler: ((Int) -> Void)?

  #if os(Linux)
  @Persisted var driver: String = "bluez"
  @Persisted var errors: List<String>
  #endif
}

/// Not a model, though it looks like one.
class Session {
  var value = 1
  dynamic var steps = 0
  let heartRate = Boxed<Int>(60)
}

final class Boxed<T> {
  var value: T
  init(_ value: T) { self.value = value }
}
