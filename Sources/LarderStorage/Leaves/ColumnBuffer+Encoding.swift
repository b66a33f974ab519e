extension ColumnBuffer {
  /// Packs the column into a leaf for the given key.
  ///
  /// Slots that `present` leaves out are stored as the cheapest value (null where the leaf has a null bitmap) and widen no
  /// range; their contents in this buffer become arbitrary. String and data values longer than 1,024 bytes, and the longest
  /// ones while the bytes exceed `softLimit`, are evicted: their slots become large. O(count), about 1 ns a number and
  /// 3 ns and its bytes a string.
  ///
  /// - Parameter usesDictionary: Strings and data of few different values may be stored as codes.
  package func encode(
    key: UInt64, present: Bitmap? = nil, softLimit: Int = LeafFormat.softLimit, usesDictionary: Bool = false
  ) -> EncodedLeaf {
    var encoder = ColumnEncoder(buffer: self)
    encoder.usesDictionary = usesDictionary
    return encoder.encode(key: key, present: present, softLimit: softLimit, into: nil)
  }

  /// Encodes as above, into a sink: the bytes of the result are empty then.
  func encode(key: UInt64, present: Bitmap?, softLimit: Int, into sink: LeafSink?) -> EncodedLeaf {
    ColumnEncoder(buffer: self).encode(key: key, present: present, softLimit: softLimit, into: sink)
  }
}
