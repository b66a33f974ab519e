import Foundation
import LarderStorage

/// Frees long chains of unmanaged objects without a call inside of a call for each link, which would overflow the stack (F-46).
///
/// The language frees what an object leads to from within the object's own end. Once that has become deep, what is left of the graph
/// is taken apart in a loop.
enum Unlinking {
  /// The number of bytes of stack that ends of objects may take before the rest is taken apart in a loop.
  private static let mostStack = 64 << 10

  /// For each thread: the highest place on its stack where an object has ended.
  private static let highest = ThreadPointer()

  /// An unmanaged object is about to go, its properties being there still.
  @inline(__always)
  static func objectEnds(_ object: ObjectBase) {
    if isDeep() { takeApart(object) }
  }

  @inline(never)
  private static func isDeep() -> Bool {
    guard let highest else { return false }
    var mark: UInt8 = 0
    let here = withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    let top = UInt(bitPattern: highest.value)
    if here > top {
      highest.set(UnsafeMutableRawPointer(bitPattern: here))
      return false
    }
    return top - here > mostStack
  }

  @inline(never)
  private static func takeApart(_ object: ObjectBase) {
    var waiting: [ObjectBase] = []
    takeLinks(of: object, &waiting)
    while var next = waiting.popLast() {
      // Goes at the end of the turn, and leads to nothing then.
      if isKnownUniquelyReferenced(&next), !next.isManaged { takeLinks(of: next, &waiting) }
    }
  }

  private static func takeLinks(of object: ObjectBase, _ links: inout [ObjectBase]) {
    // The example that a class's model is made from goes while there is no model yet.
    guard object.trace == nil, let model = ModelClass.unlessMaking(type(of: object)) else { return }
    let address = object.address
    for property in model.properties where property.isObject || property.type == .any {
      if let value = property.accessor.take(address) { collect(value, &links) }
    }
  }

  private static func collect(_ value: Any, _ links: inout [ObjectBase]) {
    switch value {
    case let object as ObjectBase: links.append(object)
    case let any as AnyRealmValue:
      switch any {
      case .object(let object): links.append(object)
      case .list(let list): collect(list, &links)
      case .dictionary(let map): collect(map, &links)
      default: break
      }
    // Goes after this; what it alone held is then held here alone. One that others hold as well keeps its elements.
    case let collection as any ManagedCollection:
      for element in collection.boxedElements() { collect(element, &links) }
    default: break
    }
  }
}

extension ObjectBase {
  /// Frees what an unmanaged object that ends leads to.
  final func unlinkGraph() { Unlinking.objectEnds(self) }
}
