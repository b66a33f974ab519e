//
//  Models.swift
//  Todo
//

import Foundation
import Larder

/// How urgent a task is. Stored by its raw value.
public enum Priority: Int, PersistableEnum {
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
public protocol Titled: AnyObject {
  var title: String { get }
  func shortTitle(_ length: Int) -> String
}

/// Things that can be put in an order by hand.
public protocol Ordered: NSObjectProtocol {
  var position: Int { get set }
}

// MARK: - Task

/// One thing to do.
public class Task: Object, Titled, Ordered {
  // The identifier never changes.
  @Persisted(primaryKey: true) public var id = UUID().uuidString
  @Persisted(indexed: true) public var title = ""  // shown in the list
  @Persisted public var notes: String?
  @Persisted public var isDone: Bool = false
  @Persisted public var created = Date()
  @Persisted(indexed: true) public var due: Date? = nil
  @Persisted public var priority = Priority.normal
  @Persisted public var position: Int = 0

  /// Minutes that it will take, if anybody knows.
  @Persisted public var estimate: Int?
  /// Minutes that it took.
  @Persisted public var spent: Int?
  /// From 0 to 1.
  @Persisted public var progress: Double? = 0.5

  /// The list that the task is on.
  @Persisted public var project: Project?

  /// Words to find it by.
  @Persisted public var tags: List<Tag>
  @Persisted public var steps: List<Step>
  @Persisted public var labels: MutableSet<String>
  @Persisted public var settings: Map<String, Int>

  // Not stored: how it looks just now.
  public var isSelected = false
  public var cachedHeight: Double = 0
  public static let maximumTitle = 80
  public let created1970 = Date(timeIntervalSince1970: 0)
  lazy var formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.dateStyle = .short
    return formatter
  }()

  /// Title and priority in one line.
  public var summary: String {
    return "\(title) (\(priority.title))"
  }

  public var isLate: Bool {
    guard let due = due else { return false }
    return !isDone && due < Date()
  }

  public convenience init(title: String, priority: Priority = .normal) {
    self.init()
    self.title = title
    self.priority = priority
  }

  public func shortTitle(_ length: Int) -> String {
    return String(title.prefix(length))
  }

  /// Adds to the time that was spent.
  public func spend(minutes: Int) {
    spent = (spent ?? 0) + minutes
    if let estimate = estimate, estimate > 0 {
      progress = Double(spent ?? 0) / Double(estimate)
    } else {
      self.progress = nil
    }
  }
}

// MARK: - What a task is made of

public class Step: EmbeddedObject {
  @Persisted public var text = ""
  @Persisted public var isDone = false

  public convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

public class Tag: Object {
  @Persisted(primaryKey: true) var name: String = ""
  @Persisted var color: String = "grey"
  @Persisted(originProperty: "tags") var tasks: LinkingObjects<Task>
}

// MARK: - Project

public class Project: Object, Titled {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted public var title = ""
  @Persisted var owner: Person?
  @Persisted var isArchived = false

  /// The tasks of the project.
  @Persisted(originProperty: "project") public var tasks: LinkingObjects<Task>

  public func shortTitle(_ length: Int) -> String { String(title.prefix(length)) }

  /// Tasks that are yet to be done.
  var open: Results<Task> {
    tasks.filter("isDone == false")
  }
}

/// A person who may own projects.
class Person: Object {
  override class func _realmObjectName() -> String? { "TodoPerson" }

  @Persisted var name = ""
  @Persisted private(set) var joined = Date()
  @Persisted private var internalNote: String?
  @Persisted private var rating: Float?
  @Persisted var friends: List<Person>

  required init() {
    super.init()
  }

  func rate(_ stars: Float) {
    rating = stars
    internalNote = "rated"
  }

  var stars: Float { rating ?? 0 }
}
