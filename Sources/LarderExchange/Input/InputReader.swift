/// Reads the records of an input file one after another.
package protocol InputReader: AnyObject {
  /// The next record, or nil at the end.
  ///
  /// - Throws: `InputFault` for a malformed record, after which reading may go on with the next one unless `isBroken`;
  ///   `InputFileError` when the file itself cannot be read.
  func next() throws -> InputRecord?
  /// True if a fault was such that the following records cannot be found.
  var isBroken: Bool { get }
  /// True if the file has the form of its format even where it holds no record: a header, or brackets around nothing.
  var hasFrame: Bool { get }
  var source: ByteSource { get }
}
