/// How many elements an array must have, which is checked before it is unpacked.
enum ElementCount {
  /// As many as its neighbours.
  case exactly(Int)
  /// As the array says, but no more than that.
  case atMost(Int)
}
