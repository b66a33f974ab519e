import Foundation
import LarderExchange
import LarderInspection
import LarderQuery
import LarderStorage

/// The outcome of a damaged store: a word, and the error or the difference.
struct Examination {
  private(set) var outcome = ""

  init(_ path: String, expected: String, older: String) {
    let problems = check(path)
    do {
      let reading = try StoreReading(path)
      let text = reading.text
      if text == expected {
        outcome = problems.isEmpty ? written(path) : "found \(problems[0])"
      } else if !problems.isEmpty {
        outcome = "seen \(problems[0])"
      } else {
        outcome = text == older ? "older" : other(path, reading) ?? "wrong \(Self.difference(text, expected))"
      }
    } catch {
      outcome = Self.isTyped(error) ? "error \(error)" : "foreign \(type(of: error)) \(error)"
    }
    outcome = outcome.replacing("\n", with: " ")
    repair(path)
  }

  private static func isTyped(_ error: any Error) -> Bool {
    // Of a property that has another name now a predicate is wrong.
    error is StorageError || error is DumpError || error is RepairError || error is LarderQuery.PredicateError
  }

  private mutating func check(_ path: String) -> [String] {
    do { return try StoreCheck(path: path, isDeep: true).problems } catch {
      return [Self.isTyped(error) ? "\(error)" : "foreign \(type(of: error)) \(error)"]
    }
  }

  /// Another answer is right when a user could have stored what gives it: a store that is made of the dump gives the same. So what
  /// may be changed unseen is exactly values and rules that fit each other: a value together with its entries in indexes and backlinks,
  /// a name, a type, a rule of the schema that all values keep, an element of a list, the order of elements, that an object is not there.
  private func other(_ path: String, _ reading: StoreReading) -> String? {
    let (dump, made) = (path + ".jsonl", path + ".made")
    defer { for file in [dump, made, made + "-lock"] { try? FileManager.default.removeItem(atPath: file) } }
    do {
      try Data(reading.dump.utf8).write(to: URL(fileURLWithPath: dump))
      var options = StoreOptions()
      options.durability = .none
      options.mapSize = 1 << 28
      let store = try Store.open(path: made, options: options)
      _ = try DumpLoader(store: store, path: dump).run()
      let again = try StoreReading(store.snapshot())
      guard again.text == reading.text else {
        return "wrong, not as stored: \(Self.difference(reading.text, again.text))"
      }
      let outcome = written(path)
      return outcome == "right" ? "other" : outcome
    } catch {
      return "wrong, cannot be stored: \(error)"
    }
  }

  /// A store in which nothing is wrong can be written.
  private func written(_ path: String) -> String {
    do {
      let store = try StoreAccess.open(writing: path)
      for _ in 0..<3 {
        let writer = try store.beginWrite()
        if let entry = writer.schema["Plain"] { for _ in 0..<20 { _ = try writer.create(entry.id) } }
        try writer.commit()
      }
      let problems = try StoreVerifier.verify(store.snapshot())
      return problems.isEmpty ? "right" : "wrong after a commit: \(problems[0])"
    } catch {
      return Self.isTyped(error) ? "error \(error)" : "foreign \(error)"
    }
  }

  /// Checks that the saved store is sound, whatever it holds.
  private mutating func repair(_ path: String) {
    let copy = path + ".saved"
    defer { for file in [copy, copy + "-lock"] { try? FileManager.default.removeItem(atPath: file) } }
    do {
      _ = try StoreRepair(RepairSource(path: path, target: copy), into: try StoreAccess.open(writing: copy)).run()
      if let problem = try StoreCheck(path: copy, isDeep: true).problems.first {
        outcome = "wrong after repair: \(problem)"
      }
    } catch {
      if !Self.isTyped(error) { outcome = "foreign after repair: \(error)" }
    }
  }

  private static func difference(_ text: String, _ expected: String) -> String {
    let lines = zip(text.split(whereSeparator: \.isNewline), expected.split(whereSeparator: \.isNewline))
    guard let (found, wanted) = lines.first(where: { $0 != $1 }) else { return "lines are missing" }
    // What two lines have in common says nothing, but for a little of it that tells the place.
    let common = max(zip(found, wanted).prefix { $0 == $1 }.count - 40, 0)
    return "\(wanted.prefix(20)): \(found.dropFirst(common).prefix(120)) for \(wanted.dropFirst(common).prefix(120))"
  }
}
