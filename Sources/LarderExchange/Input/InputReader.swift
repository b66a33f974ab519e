/// Reads the records of an input file one after another.
package protocol InputReader: AnyObject {
  /// The next record, or nil at the end.
  ///
  /// - Throws: `InputFault` for a malformed record, after which reading may go on with the next one unless `isBroken`;
  ///   `InputFileError` when the file itself cannot be read.
  func next() throws -> InputRecord?
  /// Whether a fault was such that the following records cannot be found.
  var isBroken: Bool { get }
  var source: ByteSource { get }
}
