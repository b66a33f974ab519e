/// A change of a list or dictionary within a mixed value.
package enum NestedChange {
  case insert([StoredValue], at: Int)
  case remove(Range<Int>)
  case set(StoredValue, at: Int)
  /// The element is taken out, and then put in so that it is at `to`.
  case move(from: Int, to: Int)
  case put([(String, StoredValue)])
  /// Harmless when the key is not there.
  case removeKey(String)
  case clear
  /// New contents of the same kind; the collection stays the same one.
  case assign(StoredValue)
}
