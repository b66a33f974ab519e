extension SyncValue: Hashable {
  public static func == (left: SyncValue, right: SyncValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.float(let left), .float(let right)): left.canonicalBits == right.canonicalBits
    case (.double(let left), .double(let right)): left.canonicalBits == right.canonicalBits
    case (.decimal(let left), .decimal(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.objectID(let left), .objectID(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.link(let left), .link(let right)): left == right
    case (.embedded(let left), .embedded(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.set(let left), .set(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null, .bool: break
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.canonicalBits)
    case .double(let value): hasher.combine(value.canonicalBits)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .objectID(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    case .embedded(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .set(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    }
  }
}

extension SyncValue {
  /// The value as an element of a set has it: stores keep one zero in a set, without a sign.
  var asSetElement: SyncValue {
    switch self {
    case .float(let value) where value == 0: .float(0)
    case .double(let value) where value == 0: .double(0)
    default: self
    }
  }
}

extension Float {
  /// The bits, with one pattern for all that is not a number.
  var canonicalBits: UInt32 { isNaN ? 0x7FC0_0000 : bitPattern }
}

extension Double {
  /// The bits, with one pattern for all that is not a number.
  var canonicalBits: UInt64 { isNaN ? 0x7FF8_0000_0000_0000 : bitPattern }
}
