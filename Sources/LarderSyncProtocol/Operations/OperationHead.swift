/// The first byte of an operation or a delta: its kind in bits 0-3; for operations the kind of the primary key in bits 4-5 and whether the
/// object is that of the operation before in bit 6; and whether the path has steps in bit 7.
struct OperationHead {
  var kind: UInt8
  var key: UInt8 = 0
  var isSameObject = false
  var hasSteps = false

  init(kind: UInt8, path: SyncPath?) {
    self.kind = kind
    hasSteps = path.map { !$0.steps.isEmpty } ?? false
  }

  init(_ byte: UInt8) {
    kind = byte & 0x0F
    key = byte >> 4 & 3
    isSameObject = byte & 0x40 != 0
    hasSteps = byte & 0x80 != 0
  }

  var byte: UInt8 { kind | key << 4 | (isSameObject ? 0x40 : 0) | (hasSteps ? 0x80 : 0) }
}
