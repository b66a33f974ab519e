import Foundation
import Larder

/// What went otherwise than it should.
public struct TodoFailure: Error, CustomStringConvertible {
  public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
  if value != expected { throw TodoFailure(description: "TodoChecks, line \(line): \(value) and not \(expected)") }
}

public enum TodoChecks {
  public static func run() throws {
    let types: [ObjectBase.Type] = [Task.self, Step.self, Tag.self, Project.self, Person.self]
    let configuration = Realm.Configuration(inMemoryIdentifier: "todo", objectTypes: types)
    let store = try TodoStore(configuration: configuration)
    try fill(store)
    try readBack(store)
    try changes(store)
    try names(configuration)
    try failures()
    try runStatistics()
  }

  private static func fill(_ store: TodoStore) throws {
    let owner = Person()
    owner.name = "Ada"
    owner.rate(4.5)
    try expect(owner.stars, 4.5)
    let project = try store.addProject(7, "Garden", owner: owner)
    let dig = try store.add("Dig", minutes: 90, priority: .high)
    let plant = try store.add("Plant", minutes: 30)
    try store.add("Sit")
    store.move(dig, to: project)
    store.move(plant, to: project)
    try store.tag(dig, "outside", "hard")
    try store.tag(plant, "outside")
    try store.write {
      dig.steps.append(Step("find the spade"))
      dig.labels.insert("spring")
      dig.settings["repeat"] = 7
      dig.notes = "deep"
    }
  }

  private static func readBack(_ store: TodoStore) throws {
    let all = store.all
    try expect(all.map(\.title), ["Dig", "Plant", "Sit"])
    let dig = all[0]
    try expect(dig.estimate, 90)
    try expect(dig.spent, nil)
    try expect(dig.progress, 0.5)
    try expect(dig.priority, .high)
    try expect(dig.summary, "Dig (High)")
    try expect(dig.shortTitle(2), "Di")
    try expect(dig.steps.first?.text, "find the spade")
    try expect(dig.labels.contains("spring"), true)
    try expect(dig.settings["repeat"], 7)
    try expect(dig.project?.title, "Garden")
    try expect(dig.project?.owner?.name, "Ada")
    try expect(dig.project?.tasks.count, 2)
    try expect(dig.project?.open.count, 2)
    try expect(dig.tags.first?.tasks.count, 2)
    try expect(dig.tags.first?.color, "grey")
    try expect(store.estimated, 120)
    try expect(store.unestimated.map { $0.title }, ["Sit"])
    try expect(store.tasks(in: dig.project!).count, 2)
    let byDate = all.filter("due == nil").sorted(by: [SortDescriptor(keyPath: "title", ascending: false)])
    try expect(byDate.first?.title, "Sit")
  }

  private static func changes(_ store: TodoStore) throws {
    let dig = store.all[0]
    try store.finish(dig.id, minutes: 45)
    try expect(dig.spent, 45)
    try expect(dig.progress, 1)
    try expect(store.timesheet()["Dig"], 45)
    try expect(store.longest()?.title, "Dig")
    try expect(dig.project?.open.count, 1)
    // What is ignored is lost with the accessor.
    dig.isSelected = true
    try expect(store.all[0].isSelected, false)
    try expect(try store.removeFinished(), 1)
    do {
      _ = try store.task("nothing")
      throw TodoFailure(description: "a task that is not there was found")
    } catch TodoStore.Failure.noSuchTask(let id) {
      try expect(id, "nothing")
    }
  }

  /// The schema has what the models say.
  private static func names(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    let task = try unwrap(realm.schema["Task"])
    try expect(task.primaryKeyProperty?.name, "id")
    try expect(task.properties.filter { $0.isIndexed }.map { $0.name }.sorted(), ["due", "id", "title"])
    try expect(task["isSelected"] == nil, true)
    try expect(task["cachedHeight"] == nil, true)
    try expect(task["estimate"]?.isOptional, true)
    try expect(realm.schema["TodoPerson"]?.properties.count, 5)
    try expect(realm.schema["Project"]?.primaryKeyProperty?.name, "id")
    try expect(realm.schema["Tag"]?.primaryKeyProperty?.name, "name")
  }

  private static func unwrap<T>(_ value: T?) throws -> T {
    guard let value = value else { throw TodoFailure(description: "nothing there") }
    return value
  }

  private static func failures() throws {
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all.realm")
    try expect(TodoStore.open(at: nowhere), "not found (io.realm)")
    var code = 0
    do {
      throw Realm.Error(.schemaMismatch)
    } catch { let error = error as NSError; code = error.code }
    try expect(code, 10)
    do {
      throw Realm.Error(.fail)
    } catch {
      code = 1
    }
    try expect(code, 1)
  }
}
