//
//  Models.swift
//  Todo
//

import Foundation
import Realm
import RealmSwift

/// How urgent a task is. Stored by its raw value.
@objc public enum Priority: Int, RealmEnum {
  case low = 0
  case normal = 1
  case high = 2

  /// What the list shows.
  public var title: String {
    switch self {
    case .low: return "Low"
    case .normal: return "Normal"
    case .high: return "High"
    }
  }
}

/// Anything with a name that can be shown in a list.
@objc public protocol Titled {
  @objc var title: String { get }
  @objc func shortTitle(_ length: Int) -> String
}

/// Things that can be put in an order by hand.
@objc public protocol Ordered: NSObjectProtocol {
  var position: Int { get set }
}

// MARK: - Task

/// One thing to do.
public class Task: Object, Titled, Ordered {
  // The identifier never changes.
  @objc public dynamic var id = UUID().uuidString
  @objc public dynamic var title = ""  // shown in the list
  @objc public dynamic var notes: String?
  @objc public dynamic var isDone: Bool = false
  @objc public dynamic var created = Date()
  @objc public dynamic var due: Date? = nil
  @objc public dynamic var priority = Priority.normal
  @objc public dynamic var position: Int = 0

  /// Minutes that it will take, if anybody knows.
  public let estimate = RealmOptional<Int>()
  /// Minutes that it took.
  public let spent = RealmProperty<Int?>()
  /// From 0 to 1.
  public let progress = RealmOptional<Double>(0.5)

  /// The list that the task is on.
  @objc public dynamic var project: Project?

  /// Words to find it by.
  public let tags = List<Tag>()
  public let steps = List<Step>()
  public let labels = MutableSet<String>()
  public let settings = Map<String, Int>()

  // Not stored: how it looks just now.
  @objc public dynamic var isSelected = false
  public var cachedHeight: Double = 0
  public static let maximumTitle = 80
  public let created1970 = Date(timeIntervalSince1970: 0)
  lazy var formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.dateStyle = .short
    return formatter
  }()

  /// Title and priority in one line.
  @objc public dynamic var summary: String {
    return "\(title) (\(priority.title))"
  }

  public var isLate: Bool {
    guard let due = due else { return false }
    return !isDone && due < Date()
  }

  override public static func primaryKey() -> String? {
    return "id"
  }

  override public class func indexedProperties() -> [String] {
    ["title", "due"]
  }

  /// What is only of the screen.
  override public static func ignoredProperties() -> [String] {
    return ["isSelected", "cachedHeight", "formatter"]
  }

  public convenience init(title: String, priority: Priority = .normal) {
    self.init()
    self.title = title
    self.priority = priority
  }

  @objc public func shortTitle(_ length: Int) -> String {
    return String(title.prefix(length))
  }

  /// Adds to the time that was spent.
  @objc public dynamic func spend(minutes: Int) {
    spent.value = (spent.value ?? 0) + minutes
    if let estimate = estimate.value, estimate > 0 {
      progress.value = Double(spent.value ?? 0) / Double(estimate)
    } else {
      self.progress.value = nil
    }
  }
}

// MARK: - What a task is made of

public class Step: EmbeddedObject {
  @objc public dynamic var text = ""
  @objc public dynamic var isDone = false

  public convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

public class Tag: Object {
  @objc dynamic var name: String = "", color: String = "grey"
  let tasks = LinkingObjects(fromType: Task.self, property: "tags")

  public override static func primaryKey() -> String? { #keyPath(Tag.name) }
}

// MARK: - Project

@objcMembers
public class Project: Object, Titled {
  public dynamic var id = 0
  public dynamic var title = ""
  dynamic var owner: Person?
  dynamic var isArchived = false

  /// The tasks of the project.
  public let tasks = LinkingObjects(fromType: Task.self, property: #keyPath(Task.project))

  public override class func primaryKey() -> String? {
    return #keyPath(id)
  }

  public func shortTitle(_ length: Int) -> String { String(title.prefix(length)) }

  /// Tasks that are yet to be done.
  var open: Results<Task> {
    tasks.filter("isDone == false")
  }
}

/// A person who may own projects.
@objc(TodoPerson)
class Person: Object {
  @objc dynamic var name = ""
  @objc private(set) dynamic var joined = Date()
  @objc dynamic private var internalNote: String?
  private let rating = RealmOptional<Float>()
  let friends = List<Person>()

  override init() {
    super.init()
  }

  required init(value: Any, schema: RLMSchema) {
    super.init()
  }

  required init(realm: RLMRealm, schema: RLMObjectSchema) {
    super.init()
  }

  func rate(_ stars: Float) {
    rating.value = stars
    internalNote = "rated"
  }

  var stars: Float { rating.value ?? 0 }
}
