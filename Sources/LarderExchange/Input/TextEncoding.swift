/// Checks of text encodings.
enum TextEncoding {
  /// Index of the first byte that is not part of valid UTF-8, or nil.
  static func firstInvalidOffset(in bytes: ArraySlice<UInt8>) -> Int? {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = bytes.startIndex
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
