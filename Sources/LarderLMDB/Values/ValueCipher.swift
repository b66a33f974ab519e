/// Turns values into what the file holds, and back. What sealing is, and with which keys, is its own affair.
///
/// An environment that has one (`Environment.seal(with:)`) passes every value of its tables through it, whatever reads or
/// writes; callers see values only. Keys of entries stay as they are. Used by any number of threads at once.
package protocol ValueCipher: AnyObject, Sendable {
  /// Bytes that a sealed value has more than the value.
  var overhead: Int { get }

  /// Returns true if the value of a key is sealed; the value that says how to open the others is not.
  func seals(_ table: Table, _ key: UnsafeRawBufferPointer) -> Bool

  /// Writes the sealed form of a value, bound to its table and key.
  ///
  /// - Parameter transaction: LMDB's number of the transaction that writes it.
  func seal(
    _ value: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer, transaction: UInt64,
    into room: UnsafeMutableRawBufferPointer) throws

  /// Writes the value that was sealed; false when that is not what was sealed for this table and key.
  func open(
    _ sealed: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
  ) throws -> Bool

  /// Returns the error to throw where a value is not what was sealed.
  func damage(_ table: Table) -> any Error
}
