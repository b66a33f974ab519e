import LarderQuery
import LarderStorage

/// The columns and objects that the rows of one cursor are read from, made when they are first asked for.
final class RowSources {
  let reader: any StoreReader
  /// The objects whose primary keys were shown last, of all cursors of the connection.
  private let shownKeys: ShownKeys
  private var presences: [ClassID: ObjectPresence] = [:]
  private var columns: [SQLColumn.Step: ColumnReader] = [:]

  init(_ reader: any StoreReader, _ shownKeys: ShownKeys = ShownKeys()) {
    (self.reader, self.shownKeys) = (reader, shownKeys)
  }

  /// The presence of a class's objects.
  func presence(_ classID: ClassID) throws -> ObjectPresence {
    if let known = presences[classID] { return known }
    let made = try ObjectPresence(reader, classID)
    presences[classID] = made
    return made
  }

  /// The values of a property. Valid as long as these sources.
  func cell(_ step: SQLColumn.Step) throws -> UnsafeMutablePointer<LeafCell> { try column(step).cell }

  private func column(_ step: SQLColumn.Step) throws -> ColumnReader {
    if let known = columns[step] { return known }
    let target = step.column.type == .link ? step.column.target : nil
    let linked = try SQLColumn.Step(linkedBy: step.column, in: reader.schema).map { try column($0) }
    let shown = step.column.isPrimaryKey ? shownKeys.place(of: step.classID) : nil
    let made = try ColumnReader(
      step, reader, targets: try target.map { try presence($0) }, linked: linked, shown: shown
    ) { [unowned self] value in try self.value(value) }
    columns[step] = made
    return made
  }

  /// A stored value as its column shows it.
  func value(_ value: StoredValue) throws -> SQLValue { try SQLValue(value) { try name($0) } }

  /// The text of a link in a value of any type: the class with the primary key of the object, or with its key in the store. Nil where there
  /// is no such object.
  private func name(_ link: ObjectLink) throws -> String? {
    guard let entry = reader.schema[link.classID], try presence(entry.id).contains(link.key.rawValue) else {
      return nil
    }
    guard let key = SQLColumn.Step(naming: entry) else { return "\(entry.name)#\(link.key.rawValue)" }
    return "\(entry.name)#\(try column(key).value(link.key.rawValue).plain ?? "")"
  }
}
