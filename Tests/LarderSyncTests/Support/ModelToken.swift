/// The token that a model server gives with the beginning of a bootstrap, and gets back for its rest.
struct ModelToken {
  var epoch: UInt64
  var start: UInt64
  var ownThrough: UInt64
  var isFull: Bool

  init(epoch: UInt64, start: UInt64, ownThrough: UInt64, isFull: Bool) {
    (self.epoch, self.start, self.ownThrough, self.isFull) = (epoch, start, ownThrough, isFull)
  }

  var bytes: [UInt8] { [epoch, start, ownThrough].flatMap { ModelServer.cursor($0) } + [isFull ? 1 : 0] }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == 25 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      epoch: number(bytes[..<8]), start: number(bytes[8..<16]), ownThrough: number(bytes[16..<24]),
      isFull: bytes[24] == 1)
  }
}
