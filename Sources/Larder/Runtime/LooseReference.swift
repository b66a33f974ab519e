import CSwiftRuntime

/// A reference that does not keep its object, for objects that say when they end.
///
/// A weak reference would send every retain of the object over a slower path; this one leaves the object as it is. What holds one
/// guards it by a lock that the object's `deinit` takes as well, before its memory is given back.
struct LooseReference<Instance: AnyObject> {
  private let object: Unmanaged<Instance>

  init(_ object: Instance) { self.object = Unmanaged.passUnretained(object) }

  /// The object, unless its last reference is just being released.
  var retained: Instance? {
    swift_tryRetain(object.toOpaque()).map { Unmanaged<Instance>.fromOpaque($0).takeRetainedValue() }
  }

  func refers(to other: Instance) -> Bool { object.toOpaque() == Unmanaged.passUnretained(other).toOpaque() }
}
