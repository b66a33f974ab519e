import LarderExchange
import LarderStorage

/// The rules of a schema file that would keep values which a migration loses without them.
struct MigrationHints {
  let file: SchemaFile
  let migration: SchemaMigration
  let losses: LossTally

  func texts() -> [String] {
    file.classes.flatMap { declaration -> [String] in
      guard let now = migration.writer.schema[declaration.name],
        let old = migration.writer.base.schema[now.id]
      else { return [] }
      return conversions(old, now) + renames(old, now)
    }
  }

  /// Properties whose values are not kept only because nothing says how they become values of the new type.
  private func conversions(_ old: ClassDescriptor, _ now: ClassDescriptor) -> [String] {
    let before = Dictionary(old.columns.map { ($0.name, $0) }) { first, _ in first }
    let names = Dictionary((migration.plan.columnNames[now.name] ?? [:]).map { ($0.value, $0.key) }) { first, _ in first
    }
    return now.columns.compactMap { column in
      guard let was = before[names[column.name] ?? column.name], was.type != column.type,
        was.collection == .none, column.collection == .none, was.type != .link, column.type != .link,
        losses.contains(old.name, was.name),
        !file.conversions.contains(where: { $0.className == now.name && $0.property == column.name })
      else { return nil }
      let name = "\(now.name).\(column.name)"
      return "The values of '\(name)' are not kept. A rule takes them over where they fit: "
        + "\"convert\": {\(JSONText.quote(name)): \"strict\"}, or \"lenient\" where some do not."
    }
  }

  /// Properties that lose values while one of the same kind comes: a rename without a rule, probably.
  private func renames(_ old: ClassDescriptor, _ now: ClassDescriptor) -> [String] {
    let kept = Set(now.columns.map(\.id))
    let names = Set(now.columns.map(\.name))
    let stored = (names: Set(old.columns.map(\.name)), numbers: Set(old.columns.map(\.id)))
    let added = now.columns.filter { !stored.names.contains($0.name) && !stored.numbers.contains($0.id) }
    return old.columns.compactMap { column in
      guard !kept.contains(column.id), !names.contains(column.name), losses.contains(old.name, column.name) else {
        return nil
      }
      let fitting = added.filter {
        $0.type == column.type && $0.collection == column.collection && $0.target == column.target
      }
      guard !fitting.isEmpty else { return nil }
      let rules = fitting.prefix(3).map { new in
        "\"rename\": {\(JSONText.quote("\(now.name).\(column.name)")): \(JSONText.quote(new.name))}"
          + (new.isOptional || !column.isOptional ? "" : " and a '\(new.name)' that may be nil")
      }
      return "'\(now.name).\(column.name)' is deleted and "
        + "\(fitting.prefix(3).map { "'\($0.name)'" }.joined(separator: ", ")) of the same type comes. Is that a new name? Then the "
        + "rule \(rules.joined(separator: ", or ")) keeps the values."
    }
  }
}
