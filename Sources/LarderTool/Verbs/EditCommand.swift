import ArgumentParser
import LarderExchange
import LarderInspection
import LarderStorage

struct EditCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Changes, makes or deletes one object in one transaction.",
    discussion: """
      Shows what would change; with --write it is done. Values are written as in CSV, links as the primary key of what \
      they lead to, lists and sets as JSON arrays, maps as JSON objects; 'location.latitude' reaches into embedded objects.

      EXAMPLE
        larder edit world.larder City 2950159 --set population=370 --null country
        larder edit world.larder City 1850147 --set 'alternateNames=["Edo"]' --write
        larder edit world.larder Country XX --create --set name=Nowhere --write
        larder edit world.larder Country XX --delete --write
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The object's class.", completion: .schemaName)
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
    var paths: Set<String> = []
    for path in set.map({ String($0.prefix { $0 != "=" }) }) + null where !paths.insert(path).inserted {
      throw ValidationError("'\(path)' is set twice")
    }
  }

  var writes: Bool { write.isGiven }

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
    let (steps, deletion) = try hintingAtNull { try preview(edit) }
    tell(steps, deletion, try write.isGiven ? commit(edit) : nil)
  }

  /// Runs `body`; where a property is set to a text that others write for no value, says how that is written here.
  private func hintingAtNull<Result>(_ body: () throws -> Result) throws -> Result {
    let path = set.first { text in
      let value = text.drop { $0 != "=" }.dropFirst().lowercased()
      return ["null", "nil"].contains(value)
    }.map { String($0.prefix { $0 != "=" }) }
    guard let path else { return try body() }
    do {
      let result = try body()
      if !json { Terminal.note("larder: '\(path)' is set to a text; --null \(path) sets it to nil") }
      return result
    } catch let error as EditError {
      throw EditError("\(error.description). --null \(path) sets it to nil")
    }
  }

  /// Returns the changes that the edit would make. The store is closed again then: what is open for reading cannot be opened for writing.
  private func preview(_ edit: ObjectEdit) throws -> ([EditStep], EditDeletion?) {
    let snapshot = try StoreAccess.open(reading: store).snapshot()
    return (try edit.steps(in: snapshot), delete ? try edit.deletion(in: snapshot) : nil)
  }

  private func commit(_ edit: ObjectEdit) throws -> Written {
    let writer = try StoreAccess.open(writing: store).beginWrite()
    do {
      let key = delete ? try edit.delete(writer) : try edit.write(writer)
      let entry = try StoreAccess.entry(named: className, in: writer.schema)
      let made = create ? try ObjectTree(writer).name(entry, key) : nil
      return Written(version: try writer.commit(), made: made)
    } catch {
      writer.cancel()
      throw error
    }
  }

  private struct Written {
    var version: UInt64
    /// The object, where it is a new one.
    var made: ObjectName?
  }

  private func tell(_ steps: [EditStep], _ deletion: EditDeletion?, _ written: Written?) {
    if json {
      let value: JSONValue = [
        "version": .init(written?.version), "key": written?.made.map { .init($0.key.rawValue) },
        "changes": .init(steps.map { JSONValue(written: $0.json) }),
        "deleted": deletion.map { .init(written: JSONText.object($0.object)) },
        "links": deletion.map { .init($0.links) },
      ]
      Terminal.write(value.line)
      return
    }
    for step in steps { Terminal.write("\(step.text)\n") }
    if let deletion { Terminal.write(deletion.text) }
    if let written {
      Terminal.write("written; version \(written.version)\(written.made.map { "; \($0.text)" } ?? "")\n")
    } else {
      Terminal.write("\(WriteFlag.hint)\n")
    }
  }
}
