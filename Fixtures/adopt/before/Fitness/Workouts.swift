import Foundation
import RealmSwift

// The program has names of its own that Realm has as well.
public typealias StoredObject = RealmSwiftObject
typealias Embedded = EmbeddedObject

@objc enum Sport: Int, RealmEnum {
  case running = 1, cycling, swimming
}

enum Intensity: String {
  case easy
  case hard
}

/// Conformance in one place, declaration in another.
@objc(FitnessWorkout)
@objcMembers
open class Workout: StoredObject {
  public dynamic var id: Int64 = 0
  /// When it began.
  /// - Note: in the time zone of the user
  public dynamic var start: Date = .init(timeIntervalSinceReferenceDate: 0)
  open dynamic var title: String = NSLocalizedString("Workout", comment: "")
  dynamic var sport: Sport = .running
  dynamic var intensity = Intensity.easy
  internal dynamic var isFavourite = false
  public internal(set) dynamic var edits: Int16 = 0
  let heartRate = RealmOptional<Int32>()
  let calories = RealmOptional<Double>()
  let distance: RealmProperty<Double?> = RealmProperty<Double?>()
  let track = List<TrackPoint>()
  let laps = List<Double>()
  @objc dynamic var device: Device?

  /// Kept while a workout goes on.
  private var isRunning = false
  fileprivate var pauses: [Date] = []
  public static var defaultTitle = "Workout"
  class var sortKey: String { return "start" }

  open override class func primaryKey() -> String? {
    "id"
  }

  @available(*, deprecated, message: "Use pace")
  dynamic var oldPace: Double = 0

  /// Minutes for a kilometre.
  dynamic var pace: Double? {
    guard let distance = distance.value, distance > 0 else { return nil }
    return laps.sum() / distance
  }

  func begin() {
    isRunning = true
    pauses.removeAll()
  }

  func finish(calories burned: Double?) -> Bool {
    let wasRunning = isRunning
    isRunning = false
    calories.value = burned
    distance.value = track.isEmpty ? nil : Double(track.count)
    return wasRunning
  }
}

open class Interval: Workout {
  dynamic var repeats = 1
  dynamic var rest = 30.0
  let target = RealmOptional<Int32>()

  override open class func indexedProperties() -> [String] { return ["repeats"] }

  func isOnTarget() -> Bool {
    guard let target = target.value else { return true }
    return heartRate.value ?? 0 <= target
  }
}

class TrackPoint: Embedded {
  @objc dynamic var latitude: Double = 0
  @objc dynamic var longitude: Double = 0
  @objc(when) dynamic var time = Date()
  let altitude = RealmOptional<Float>()

  convenience init(_ latitude: Double, _ longitude: Double, altitude: Float? = nil) {
    self.init()
    self.latitude = latitude
    self.longitude = longitude
    self.altitude.value = altitude
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
  @objc dynamic var serial = ""
  var last: Workout? { workouts.last }
  let workouts = LinkingObjects(fromType: Workout.self, property: "device")
  @objc dynamic var battery: Float = 1
  // Of the session, and not of the device.
  dynamic var connection: Int = 0
  var handler: ((Int) -> Void)?

  #if os(Linux)
  @objc dynamic var driver: String = "bluez"
  let errors = List<String>()
  #endif

  override static func ignoredProperties() -> [String] { ["connection", "handler"] }
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
