import LarderQuery
import LarderStorage

/// What the rows of one cursor are read from, made when it is first asked for.
final class RowSources {
  let reader: any StoreReader
  private var presences: [ClassID: ObjectPresence] = [:]
  private var columns: [SQLColumn.Step: ColumnReader] = [:]

  init(_ reader: any StoreReader) { self.reader = reader }

  /// Which objects of a class there are.
  func presence(_ classID: ClassID) throws -> ObjectPresence {
    if let known = presences[classID] { return known }
    let made = try ObjectPresence(reader, classID)
    presences[classID] = made
    return made
  }

  /// The values of a property. Valid as long as these sources.
  func cell(_ step: SQLColumn.Step) throws -> UnsafeMutablePointer<LeafCell> {
    if let known = columns[step] { return known.cell }
    let target = step.column.type == .link ? step.column.target : nil
    let made = try ColumnReader(step, reader, targets: try target.map { try presence($0) })
    columns[step] = made
    return made.cell
  }
}
