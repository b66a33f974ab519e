/// What a model server gives with the beginning of a bootstrap, and gets back for its rest.
struct ModelToken {
  var start: UInt64
  var ownThrough: UInt64
  var isFull: Bool

  init(start: UInt64, ownThrough: UInt64, isFull: Bool) {
    (self.start, self.ownThrough, self.isFull) = (start, ownThrough, isFull)
  }

  var bytes: [UInt8] { ModelServer.cursor(start) + ModelServer.cursor(ownThrough) + [isFull ? 1 : 0] }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == 17 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(start: number(bytes[..<8]), ownThrough: number(bytes[8..<16]), isFull: bytes[16] == 1)
  }
}
