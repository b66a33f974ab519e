import LarderStorage

/// A whole store in another form, being read: its schema, then the objects class by class, one after another.
protocol ObjectSource: AnyObject {
  var header: DumpHeader { get }
  /// True if links name objects by their primary keys, where those are never null; else always by place.
  var linksByPrimaryKey: Bool { get }
  /// The bytes read so far and their total, for a progress bar.
  var progress: (consumed: Int, total: Int?) { get }

  /// The next object of a class.
  func next(className: String, place: Int, of count: Int) throws -> InputRecord
  /// Throws unless the last object was read.
  func end() throws
  /// Runs `body` and gives its faults their place in the file.
  func placing<Result>(_ record: InputRecord, _ body: () throws -> Result) throws -> Result
}

extension DumpFile: ObjectSource {
  var linksByPrimaryKey: Bool { false }
  var progress: (consumed: Int, total: Int?) { (source.consumed, source.storedSize) }
}

/// The sources that a whole store can be read from.
package enum ObjectSources {
  /// True if a path is a folder or a SQLite file that `export` may have written.
  package static func isExport(_ path: String) -> Bool { FolderSource.isFolder(path) || SQLiteFile.isSQLite(path) }

  /// Opens what is at a path; `contents` says where the bytes are, if not there.
  static func open(_ path: String, contents: String, lineLimit: Int) throws -> any ObjectSource {
    if FolderSource.isFolder(path) { return try FolderSource(path, lineLimit: lineLimit) }
    return SQLiteFile.isSQLite(path)
      ? try SQLiteSource(path) : try DumpFile(path, contents: contents, lineLimit: lineLimit)
  }
}
