import CSwiftRuntime

/// Refers to an object without keeping it alive, and without making it slower.
///
/// A weak reference sends every retain and release of its object over a slower path from then on. This one needs the object's help: its
/// `deinit` takes it out of where it is kept, under the lock under which it is read there, so that no memory is looked at that was given
/// back.
package struct UncountedReference<Object: AnyObject> {
  private let object: Unmanaged<Object>

  package init(_ object: Object) { self.object = .passUnretained(object) }

  /// The object, unless its last reference is just going. To be released outside of the lock.
  package var retained: Object? {
    guard let found = swift_tryRetain(object.toOpaque()) else { return nil }
    return Unmanaged<Object>.fromOpaque(found).takeRetainedValue()
  }

  /// Returns true if it refers to that very object, which may be about to be freed.
  package func refers(to other: Object) -> Bool { object.toOpaque() == Unmanaged.passUnretained(other).toOpaque() }
}

extension UncountedReference: Sendable where Object: Sendable {}
