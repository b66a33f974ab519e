/// The number of elements that an array must have, which is checked before it is unpacked.
enum ElementCount {
  /// The number that its neighbours have.
  case exactly(Int)
  /// The number that the array says, but no more than this.
  case atMost(Int)
}
