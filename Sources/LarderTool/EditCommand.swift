import ArgumentParser
import LarderInspection
import LarderStorage

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Changes, makes or deletes one object in one transaction.",
    discussion: """
      Shows what would change; with --write it is done. Values are written as in CSV, links as the primary key of what \
      they lead to, lists and sets as JSON arrays, maps as JSON objects; `location.latitude` reaches into embedded objects.

      EXAMPLE
        larder edit world.larder City 2950159 --set population=370 --null elevation
        larder edit world.larder City 2950159 --set 'names=["Berlin"]' --write
        larder edit world.larder Country XX --create --set name=Nowhere --write
        larder edit world.larder Country XX --delete --write
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "The object's class.")
  var className: String

  @Argument(help: "The value of its primary key.")
  var primaryKey: String?

  @Option(help: "The object key, for classes without primary key.")
  var key: UInt64?

  @Option(help: ArgumentHelp("A property and its new value; may be repeated.", valueName: "property=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("A property to be null; may be repeated.", valueName: "property"))
  var null: [String] = []

  @Flag(help: "Make the object, which must not be there.")
  var create = false

  @Flag(help: "Delete the object with what is embedded in it.")
  var delete = false

  @OptionGroup
  var write: WriteFlag

  @Flag(help: "Write what changes as JSON.")
  var json = false

  func validate() throws {
    guard primaryKey == nil || key == nil else {
      throw ValidationError("name the object by its primary key or by --key")
    }
    guard create || primaryKey != nil || key != nil else {
      throw ValidationError("name the object by its primary key or by --key")
    }
    guard !create || key == nil else { throw ValidationError("the store gives new objects their keys") }
    guard !delete || (set.isEmpty && null.isEmpty && !create) else {
      throw ValidationError("--delete goes with no other change")
    }
    guard delete || create || !set.isEmpty || !null.isEmpty else { throw ValidationError("say what is to change") }
    for text in set where !text.contains("=") { throw ValidationError("--set takes property=value, not '\(text)'") }
  }

  private var edit: ObjectEdit {
    var assignments: [(path: String, text: String?)] = set.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts[1])
    }
    assignments += null.map { ($0, nil) }
    let target: ObjectEdit.Target =
      create ? .new(primaryKey: primaryKey) : primaryKey.map { .primaryKey($0) } ?? .key(key ?? 0)
    return ObjectEdit(className: className, target: target, assignments: assignments)
  }

  func run() throws {
    let edit = edit
    let steps = try edit.steps(in: try StoreAccess.open(reading: store).snapshot())
    var written: UInt64?
    if write.isGiven {
      let writer = try StoreAccess.open(writing: store).beginWrite()
      do {
        _ = delete ? try edit.delete(writer) : try edit.write(writer)
        written = try writer.commit()
      } catch {
        writer.cancel()
        throw error
      }
    }
    tell(steps, written)
  }

  private func tell(_ steps: [ObjectEdit.Step], _ version: UInt64?) {
    if json {
      let changes = steps.map {
        "{\"property\": \(JSONText.quote($0.path)), \"old\": \(JSONText.quote($0.old)), \"new\": \(JSONText.quote($0.new))}"
      }
      let version = version.map { String($0) } ?? "null"
      Terminal.write("{\"version\": \(version), \"changes\": [\(changes.joined(separator: ", "))]}\n")
      return
    }
    for step in steps { Terminal.write("\(step.path): \(step.old) → \(step.new)\n") }
    if let version {
      Terminal.write("written; version \(version)\n")
    } else {
      Terminal.write("\(WriteFlag.hint)\n")
    }
  }
}
