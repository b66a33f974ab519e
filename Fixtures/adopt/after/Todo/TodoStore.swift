import Foundation
import Larder

/// What the view controllers of the program talk to.
public final class TodoStore {
  private let realm: Realm

  enum Failure: Error {
    case noSuchTask(String)
    case noSpace
  }

  public init(configuration: Larder.Realm.Configuration) throws {
    realm = try Larder.Realm(configuration: configuration)
  }

  // MARK: Reading

  var all: Results<Task> {
    return realm.objects(Task.self).sorted(byKeyPath: "position")
  }

  func tasks(in project: Project) -> Larder.Results<Task> {
    let predicate = NSPredicate(format: "%K == %@", "project", project)
    return realm.objects(Task.self).filter(predicate)
  }

  func task(_ id: String) throws -> Task {
    guard let task = realm.object(ofType: Task.self, forPrimaryKey: id) else {
      throw Failure.noSuchTask(id)
    }
    return task
  }

  /// Minutes that were estimated for all open tasks.
  var estimated: Int {
    return all.filter("isDone == false").reduce(0) { sum, task in sum + (task.estimate ?? 0) }
  }

  /// Minutes spent, by title.
  func timesheet() -> [String: Int] {
    var result: [String: Int] = [:]
    for task in all {
      result[task.title] = task.spent ?? 0
    }
    return result
  }

  var unestimated: [Task] {
    all.filter { $0.estimate == nil }
  }

  func longest() -> Task? {
    all.max { first, second in (first.spent ?? 0) < (second.spent ?? 0) }
  }

  // MARK: Writing

  @discardableResult
  func add(_ title: String, minutes: Int? = nil, priority: Priority = .normal) throws -> Task {
    let task = Task(title: title, priority: priority)
    task.estimate = minutes
    task.position = (all.last?.position ?? -1) + 1
    try realm.write {
      realm.add(task)
    }
    return task
  }

  func finish(_ id: String, minutes: Int) throws {
    let task = try self.task(id)
    try realm.write {
      task.isDone = true
      task.spend(minutes: minutes)
      task.progress = 1
    }
  }

  func move(_ task: Task, to project: Project?) {
    do {
      try realm.write { task.project = project }
    } catch {
      let error = error as NSError
      // What can be done here?
      print("could not move:", error.code, error.localizedDescription)
    }
  }

  func tag(_ task: Task, _ names: String...) throws {
    try realm.write {
      for name in names {
        let tag = realm.create(Tag.self, value: ["name": name], update: .modified)
        task.tags.append(tag)
      }
    }
  }

  func removeFinished() throws -> Int {
    let finished = realm.objects(Task.self).filter("isDone == %@", true)
    let count = finished.count
    try realm.write { realm.delete(finished) }
    return count
  }

  /// Opens a store, and says why it could not be.
  static func open(at url: URL) -> String {
    do {
      _ = try Realm(configuration: Realm.Configuration(fileURL: url, readOnly: true))
      return "opened"
    } catch let error where (error as NSError).code == Realm.Error.fileNotFound.rawValue {
      let error = error as NSError
      return "not found (\(error.domain))"
    } catch let problem {
      let problem = problem as NSError
      return "error \(problem.code)"
    }
  }

  func write(_ block: () throws -> Void) throws {
    try realm.write(block)
  }

  func addProject(_ id: Int, _ title: String, owner: Person?) throws -> Project {
    let project = Project()
    project.id = id
    project.title = title
    project.owner = owner
    try realm.write { realm.add(project, update: .all) }
    return project
  }
}
